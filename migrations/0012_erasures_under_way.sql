-- Of erasures from before, as far as their receipts know. What their revokes had left when they failed goes as well.
update release_job set erasure_id = e.erasure_id from erasure e where release_job.connection_id = any(e.connection_ids);
update release_job set sealed_tokens = null, refresh_claim = null, refresh_claimed_at = null
where erasure_id is not null and status = 'FAILED' and sealed_tokens is not null;
