-- What somebody who was erased was made from is forgotten with them.
grant delete on member_origin to tillside_app;

-- Whether a code is of somebody who was erased, asked for each row of a file.
create index on audit (company_id, (details ->> 'codeHash')) where action = 'member.erase';
