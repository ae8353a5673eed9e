-- The trace in which an entry was written (W3C Trace Context), so that whoever delivers it goes on with that one.
alter table outbox add column traceparent text;
