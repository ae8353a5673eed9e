import { Text } from '@mantine/core';
import type { PastFailuresFragment } from '../generated/operations.ts';
import { formatCount } from '../texts/format.ts';
import { Time } from './time.tsx';

/** Failures that are over: not necessarily one outage. */
export const PastFailures = ({ of: { tries, lastAnswer, since, until } }: { of: PastFailuresFragment }) => (
  <Text size="sm" span>
    {formatCount(tries, 'try', 'tries')} failed between <Time at={since} /> and <Time at={until} />
    {lastAnswer && ` (${lastAnswer.replace('_', ' ')})`}.
  </Text>
);
