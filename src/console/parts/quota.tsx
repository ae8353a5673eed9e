import { Group, Progress, Text } from '@mantine/core';
import type { AttentionQuery } from '../generated/operations.ts';
import { Until } from './time.tsx';

/** From here on a quota wants attention. */
const NEARLY = 0.8;

/** How much of a registration's daily quota is used. */
export function Quota({ usage }: { usage: AttentionQuery['registrations'][number]['usage'] }) {
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
            color={callsUsed / callsAllowed > NEARLY ? 'orange' : 'indigo'}
            aria-label={`${used} of ${callsAllowed} calls`}
          />
          {used} of {callsAllowed.toLocaleString('en')}
        </Group>
      )}
      {spentUntil !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          used up; nothing is read for <Until at={spentUntil} />
        </Text>
      )}
    </div>
  );
}
