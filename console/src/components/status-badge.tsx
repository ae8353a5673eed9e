import { Badge, type MantineColor } from '@mantine/core';

/** One color for each status. Connections, attempts, jobs and grants share the names. */
const COLORS: Readonly<Record<string, MantineColor>> = {
  CONNECTED: 'teal',
  COMPLETED: 'teal',
  SUCCEEDED: 'teal',
  LIVE: 'teal',
  READY: 'teal',
  AVAILABLE: 'teal',
  DELIVERED: 'teal',
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

/** Shows `RECONNECT_REQUIRED` as `reconnect required`. */
export const StatusBadge = ({ of }: { of: string }) => (
  <Badge variant="light" color={COLORS[of] ?? 'gray'} tt="none">
    {of.toLowerCase().replaceAll('_', ' ')}
  </Badge>
);
