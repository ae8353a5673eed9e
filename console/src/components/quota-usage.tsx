import { Group, Progress, Text } from '@mantine/core';
import type { AttentionQuery } from '../generated/operations.ts';
import { formatQuotaDay, predictQuotaEnd } from '../texts/quota.ts';
import { TimeUntil, useNow } from './time.tsx';

/** Above this share, the bar turns orange. */
const NEARLY_USED = 0.8;

type Usage = AttentionQuery['registrations'][number]['usage'];

/** The used share of a registration's daily quota, and when it runs out or starts again. */
export function QuotaUsage({ usage, isShort = false }: { usage: Usage; isShort?: boolean }) {
  const { unitsUsed, unitsAllowed, spentUntil } = usage;
  const used = unitsUsed.toLocaleString('en');
  return (
    <div>
      {unitsAllowed === null ? (
        `${used} units, no daily quota`
      ) : (
        <>
          <Group gap="xs" {...(isShort && { wrap: 'nowrap' })}>
            <Progress
              value={(unitsUsed / unitsAllowed) * 100}
              w={isShort ? 60 : 100}
              flex="none"
              color={unitsUsed / unitsAllowed > NEARLY_USED ? 'orange' : 'indigo'}
              aria-label={`${used} of ${unitsAllowed} units`}
            />
            {used} of {unitsAllowed.toLocaleString('en')} units
          </Group>
          {spentUntil === null && !isShort && <Forecast usage={usage} />}
        </>
      )}
      {spentUntil !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          used up; reads resume in <TimeUntil at={spentUntil} />
        </Text>
      )}
    </div>
  );
}

/** Shows when the count restarts or, if earlier, when the quota runs out. */
function Forecast({ usage }: { usage: Usage }) {
  const end = predictQuotaEnd(usage, useNow());
  return (
    <Text size="sm" c="dimmed">
      {end === null ? (
        <>
          {formatQuotaDay(usage)}: starts again in <TimeUntil at={usage.resetsAt} />
        </>
      ) : (
        <Text component="span" c="var(--mantine-color-error)" inherit>
          at this pace it is used up in <TimeUntil at={end} />
        </Text>
      )}
    </Text>
  );
}
