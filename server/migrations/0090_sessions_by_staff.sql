-- Keys that contain the member of staff, whose id places a session and a link. The hash is in front,
-- because the release before this one finds rows by it alone. A migration of its own: while the indexes
-- are built logins wait, and requests do not.
create unique index session_of_staff on session (company_id, token_hash, staff_id);
create unique index access_link_of_staff on access_link (company_id, token_hash, staff_id);
