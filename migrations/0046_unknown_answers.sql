-- Answers of platforms that no adapter knows, for people: each once, without secrets and personal data. The worker keeps at most 200
-- for each provider, and deletes those that have not come for 30 days.
create table unknown_answer (
  unknown_answer_id uuid primary key,
  provider text not null check (provider in ('PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C')),
  -- Our name of the request.
  place text not null check (length(place) between 1 and 100),
  status integer not null check (status between 100 and 999),
  -- The platform's own error codes. Empty without one.
  code text not null check (length(code) <= 500),
  text text not null check (length(text) <= 500),
  -- What the adapter made of it: the type of its failure.
  made_of_it text not null check (length(made_of_it) <= 40),
  times bigint not null default 1,
  first_seen_at timestamptz(3) not null default business_now(),
  last_seen_at timestamptz(3) not null default business_now(),
  unique (provider, place, status, code, text)
);
create index unknown_answer_newest on unknown_answer (first_seen_at, unknown_answer_id);
create index unknown_answer_expiry on unknown_answer (last_seen_at, unknown_answer_id);
