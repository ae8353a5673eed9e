-- The functions of the triggers that write webhook events get the word of their triggers.
alter function tell_added_connections rename to webhook_added_connections;
alter function tell_moved_connection rename to webhook_moved_connection;
alter function tell_erased_connections rename to webhook_erased_connections;
alter function tell_paused_registration rename to webhook_paused_registration;
alter function tell_ended_attempt rename to webhook_ended_attempt;
alter function tell_ended_sign_in rename to webhook_ended_sign_in;
alter function tell_ended_read rename to webhook_ended_read;
alter function tell_settled_receipt rename to webhook_settled_receipt;
