import { Badge, Group } from '@mantine/core';
import { Age } from './time.tsx';

interface RegistrationStatusProps {
  readonly pausedAt: string | null;
  readonly rejectedAt: string | null;
  readonly doubtedAt: string | null;
}

/** Whether a registration is active, paused or rejected, and whether its platform refuses many accounts. */
export const RegistrationStatus = ({ of: { pausedAt, rejectedAt, doubtedAt } }: { of: RegistrationStatusProps }) => (
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
    {doubtedAt !== null && (
      <Badge color="red" variant="light" tt="none">
        many accounts refused for <Age since={doubtedAt} />
      </Badge>
    )}
    {pausedAt === null && rejectedAt === null && doubtedAt === null && (
      <Badge color="teal" variant="light" tt="none">
        active
      </Badge>
    )}
  </Group>
);
