-- The names of the providers stand in one place, the domain: a new one needs no change of a table.
alter table unknown_answer
  drop constraint unknown_answer_provider_check,
  alter column provider type provider_name;
