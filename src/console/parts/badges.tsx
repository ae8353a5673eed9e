import { Badge, type MantineColor } from '@mantine/core';

/** States of connections, attempts, jobs and grants share words, and each word its colour. */
const COLORS: Readonly<Record<string, MantineColor>> = {
  CONNECTED: 'teal',
  COMPLETED: 'teal',
  SUCCEEDED: 'teal',
  LIVE: 'teal',
  READY: 'teal',
  AVAILABLE: 'teal',
  DONE: 'teal',
  QUEUED: 'blue',
  RUNNING: 'blue',
  CREATED: 'blue',
  AUTHORIZING: 'blue',
  EXCHANGING: 'blue',
  PENDING: 'blue',
  REVOKING: 'blue',
  DELETING: 'blue',
  SUSPENDED: 'orange',
  RECONNECT_REQUIRED: 'orange',
  PARTIAL: 'orange',
  STALE: 'orange',
  FAILED: 'red',
  FORBIDDEN: 'red',
  UNAUTHENTICATED: 'red',
};

/** `RECONNECT_REQUIRED` as `reconnect required`. */
export const State = ({ of }: { of: string }) => (
  <Badge variant="light" color={COLORS[of] ?? 'gray'} tt="none">
    {of.toLowerCase().replaceAll('_', ' ')}
  </Badge>
);
