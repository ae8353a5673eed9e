import type { WorkflowState, WorkflowStep, WorkflowWait } from '../generated/operations.ts';

export const STEP_TEXTS: Readonly<Record<WorkflowStep, string>> = {
  EXCHANGE_CODE: 'Exchanges the code for tokens',
  COMPLETE_ATTEMPT: 'Creates the connection',
  RECORD_END: 'Records the end',
  PURGE: 'Deletes posts and profile',
  REVOKE: 'Revokes the grant',
  ERASE: 'Deletes the rest of the data',
  SCAN: 'Reads a window of posts',
  METRICS_REFRESH: "Reads a post's metrics",
  LOOKUP: 'Looks a post up',
  VERIFY: 'Checks whether grants are alive',
  UPKEEP: 'Refreshes grant and profile',
  DISCONNECT_ALL: 'Disconnects connections',
  SEND_WEBHOOKS: 'Sends webhooks',
  PROBE: 'Checks whether a provider still refuses our client',
  SWEEP: 'Handles rows that are due',
  ENDED: 'Has nothing left to do',
};

export const WAIT_TEXTS: Readonly<Record<WorkflowWait, string>> = {
  NEXT_TRY: 'the next try',
  RATE_LIMIT: 'our own rate limit',
  EVENTS: 'further events',
};

export const STATE_TEXTS: Readonly<Record<WorkflowState, string>> = {
  RUNNING: 'Running',
  CLOSED: 'Closed',
  MISSING: 'Temporal has no such workflow',
  NOT_KNOWN: 'Not known: Temporal did not answer within a second',
};
