-- What came back of the last failed try of an attempt: `HTTP_` and the status, the code of a request without a complete answer, or
-- REDIRECT for an authorization response; and the platform's own error codes. Null without a failed try.
alter table connect_attempt add column last_answer text collate "C", add column last_answer_code text collate "C";
alter table identity_attempt add column last_answer text collate "C", add column last_answer_code text collate "C";
