-- Contracts 0088 and 0095 to 0115: the release before writes the places of audit rows, who paid for a sale,
-- which members are merged, and what a clerk has looked up.
drop trigger if exists fill_place on audit;
drop trigger if exists sight_noted on audit;
drop trigger if exists payer_noted on sale_redemption;
drop trigger if exists note_merged on point_account;
drop trigger if exists merge_noted on member_merge;
drop function place_audit_row, note_sight, note_payer, note_merged, note_merge;
drop procedure fill_places_of_audit_rows, fill_payers_of_sales, fill_look_ups;

-- Routines that only an older release called: 0067 and the merges of 0054 to 0096.
drop function redeem_at_once, connected_sales, held_merges, lock_sales, merge_places,
  owners_before_merges, paid_for_sales, unmerge_members;
drop procedure follow_merge, merge_members, number_entries, total_account;
