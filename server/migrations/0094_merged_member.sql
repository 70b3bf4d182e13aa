-- Whether the member's rows are with a survivor: a search by name leaves them out. A migration of its
-- own, because it locks the table of members.
alter table member add column merged boolean not null default false;
