import { Badge, Group } from '@mantine/core';
import { Age } from './time.tsx';

interface RegistrationStatusProps {
  readonly pausedAt: string | null;
  readonly rejectedAt: string | null;
}

/** Whether a registration is active, paused or rejected. */
export const RegistrationStatus = ({ of: { pausedAt, rejectedAt } }: { of: RegistrationStatusProps }) => (
  <Group gap={4}>
    {pausedAt !== null && (
      <Badge color="orange" variant="light" tt="none">
        paused for <Age since={pausedAt} />
      </Badge>
    )}
    {rejectedAt !== null && (
      <Badge color="red" variant="light" tt="none">
        rejected by the provider for <Age since={rejectedAt} />
      </Badge>
    )}
    {pausedAt === null && rejectedAt === null && (
      <Badge color="teal" variant="light" tt="none">
        active
      </Badge>
    )}
  </Group>
);
