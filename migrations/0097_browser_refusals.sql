-- Why the service last refused the browser of an attempt, and when: a person who asks for help quotes that page. Null without a refusal.
alter table connect_attempt add column last_refusal text collate "C", add column last_refused_at timestamptz;
alter table identity_attempt add column last_refusal text collate "C", add column last_refused_at timestamptz;
