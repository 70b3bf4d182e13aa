-- While a secret is replaced, two secrets sign each event; this names the variable of the second.
alter table webhook add column second_secret_variable text
  check (second_secret_variable <> secret_variable);
