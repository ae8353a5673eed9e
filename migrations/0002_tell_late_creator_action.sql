-- An exchange may end after its attempt: only then does the service know that a grant may stay at the platform. The app was told
-- of the end already, and after an erasure it can read nothing, so the event comes once more, with the creatorAction.
create constraint trigger connect_attempt_action_told after update of creator_action on connect_attempt deferrable initially deferred
  for each row when (old.creator_action is null and new.creator_action is not null
    and old.status not in ('CREATED', 'AUTHORIZING', 'EXCHANGING') and new.return_url <> '')
  execute function tell_ended_attempt();
