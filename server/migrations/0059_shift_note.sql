-- A clerk's text for the colleagues at the same store. A row is never updated: two clerks who
-- write at once have two notes.
create table shift_note (
  company_id uuid not null,
  note_id uuid not null default uuidv7(),
  store_code text not null,
  staff_id uuid not null,
  -- The company's day.
  written_on date not null,
  written_at timestamptz not null default now(),
  text text not null check (char_length(text) between 1 and 500),
  primary key (company_id, note_id),
  foreign key (company_id, staff_id) references staff,
  foreign key (company_id, store_code) references store
);
-- A request that is sent again writes no second note, on any number of server processes.
create unique index on shift_note (company_id, staff_id, store_code, written_on, md5(text));
create index on shift_note (company_id, store_code, written_at);
call protect('shift_note', 'select, insert, delete');

-- The colleagues who have confirmed a note.
create table shift_note_reader (
  company_id uuid not null,
  note_id uuid not null,
  staff_id uuid not null,
  read_at timestamptz not null default now(),
  primary key (company_id, note_id, staff_id),
  foreign key (company_id, note_id) references shift_note on delete cascade,
  foreign key (company_id, staff_id) references staff
);
call protect('shift_note_reader', 'select, insert, delete');
