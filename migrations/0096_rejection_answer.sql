-- What the platform answered when it refused a registration's client, as in the columns of an attempt. Null without a refusal.
alter table registration add column rejection_answer text collate "C", add column rejection_answer_code text collate "C";
