alter table connection
  -- Since when its upkeep has failed, try after try; null while the last one succeeded.
  add column upkeep_failing_since timestamptz(3);
