-- A platform said, during the exchange of an attempt, that a person has removed the app: whose account the attempt's grant is was not
-- known yet, so its connection is verified.
alter table connect_attempt add column noticed_at timestamptz(3);
