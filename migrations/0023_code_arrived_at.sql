-- When the callback with the code was accepted, which starts the workflow. Null if none was: then the attempt has no workflow.
alter table connect_attempt add column code_arrived_at timestamptz(3);
alter table identity_attempt add column code_arrived_at timestamptz(3);
