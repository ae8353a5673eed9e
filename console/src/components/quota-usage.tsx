import { Group, Progress, Text } from '@mantine/core';
import type { AttentionQuery } from '../generated/operations.ts';
import { TimeUntil } from './time.tsx';

/** Above this share, the bar turns orange. */
const NEARLY_USED = 0.8;

/** The used share of a registration's daily quota. */
export function QuotaUsage({ usage }: { usage: AttentionQuery['registrations'][number]['usage'] }) {
  const { unitsUsed, unitsAllowed, spentUntil } = usage;
  const used = unitsUsed.toLocaleString('en');
  return (
    <div>
      {unitsAllowed === null ? (
        `${used} units`
      ) : (
        <Group gap="xs">
          <Progress
            value={(unitsUsed / unitsAllowed) * 100}
            w={100}
            color={unitsUsed / unitsAllowed > NEARLY_USED ? 'orange' : 'indigo'}
            aria-label={`${used} of ${unitsAllowed} units`}
          />
          {used} of {unitsAllowed.toLocaleString('en')}
        </Group>
      )}
      {spentUntil !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          used up; reads resume in <TimeUntil at={spentUntil} />
        </Text>
      )}
    </div>
  );
}
