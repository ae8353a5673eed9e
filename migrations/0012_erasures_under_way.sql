-- Of erasures from before, as far as their receipts know: their jobs, the scopes those had, which are forgotten, and the
-- revokes that have come of these. What revokes had left when they failed goes as well.
update release_job set erasure_id = e.erasure_id from erasure e where release_job.connection_id = any(e.connection_ids);
update scope set erasure_id = j.erasure_id from release_job j
where j.scope_id = scope.scope_id and j.erasure_id is not null and scope.external_subject_id like 'erased-%';
update release_job set erasure_id = s.erasure_id from scope s
where release_job.scope_id = s.scope_id and s.erasure_id is not null and release_job.erasure_id is null;
update release_job set sealed_tokens = null, refresh_claim = null, refresh_claimed_at = null
where erasure_id is not null and status = 'FAILED' and sealed_tokens is not null;
