-- The totals of a member leave out what was reversed: goods that came back, redemptions undone.
create index on point_entry (company_id, member_id) include (points)
  where type in (100000008, 100000009, 100000010, 100000011);
