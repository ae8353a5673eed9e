import { Badge, Group } from '@mantine/core';
import { Age } from './time.tsx';

interface Standing {
  readonly pausedAt: string | null;
  readonly rejectedAt: string | null;
}

/** Whether a registration can be used. */
export const RegistrationState = ({ of: { pausedAt, rejectedAt } }: { of: Standing }) => (
  <Group gap={4}>
    {pausedAt !== null && (
      <Badge color="orange" variant="light" tt="none">
        paused for <Age since={pausedAt} />
      </Badge>
    )}
    {rejectedAt !== null && (
      <Badge color="red" variant="light" tt="none">
        refused by the provider for <Age since={rejectedAt} />
      </Badge>
    )}
    {pausedAt === null && rejectedAt === null && (
      <Badge color="teal" variant="light" tt="none">
        in use
      </Badge>
    )}
  </Group>
);
