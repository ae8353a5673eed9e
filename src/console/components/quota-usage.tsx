import { Group, Progress, Text } from '@mantine/core';
import type { AttentionQuery } from '../generated/operations.ts';
import { TimeUntil } from './time.tsx';

/** Above this share, the bar turns orange. */
const NEARLY_USED = 0.8;

/** The used share of a registration's daily quota. */
export function QuotaUsage({ usage }: { usage: AttentionQuery['registrations'][number]['usage'] }) {
  const { callsUsed, callsAllowed, spentUntil } = usage;
  const used = callsUsed.toLocaleString('en');
  return (
    <div>
      {callsAllowed === null ? (
        `${used} calls`
      ) : (
        <Group gap="xs">
          <Progress
            value={(callsUsed / callsAllowed) * 100}
            w={100}
            color={callsUsed / callsAllowed > NEARLY_USED ? 'orange' : 'indigo'}
            aria-label={`${used} of ${callsAllowed} calls`}
          />
          {used} of {callsAllowed.toLocaleString('en')}
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
