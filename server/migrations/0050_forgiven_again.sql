-- Points that were forgiven and that a later undo or return has settled after all are below zero, so
-- that the sum is what the member still owes nothing for.
alter table point_forgiven drop constraint point_forgiven_points_check, add check (points <> 0);
