import { Text } from '@mantine/core';
import type { AttemptDetailsFragment } from '../generated/operations.ts';
import { describeCause } from '../texts/jobs.ts';
import { ATTEMPT_STATES, toRefusedBrowser } from '../texts/states.ts';
import { AppCell } from './app-link.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { PersonName } from './names.tsx';
import { PlatformName } from './platform.tsx';
import { ShortId } from './short-id.tsx';
import { StateDot } from './status-badge.tsx';
import { TimeCell } from './time.tsx';

/** For attempts of one app. */
export const ATTEMPT_COLUMNS: readonly Column<AttemptDetailsFragment>[] = [
  { name: 'Attempt', cell: ({ id }) => <ShortId id={id} of="attempt" href={`/attempts/${id}`} /> },
  { name: 'Started', cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
  { name: 'Platform', cell: ({ provider }) => <PlatformName of={provider} /> },
  { name: 'Status', cell: ({ status }) => <StateDot state={ATTEMPT_STATES[status]} /> },
  {
    name: 'Result',
    share: 27,
    wraps: true,
    cell: (attempt) => <Result of={attempt} />,
  },
  {
    name: 'Last answer',
    share: 21,
    cell: (attempt) => (describeCause(attempt) === null ? '–' : <Cause of={attempt} />),
  },
];

/** How it ended, and the last page that refused the browser: the person may still be there. */
function Result({ of: attempt }: { of: AttemptDetailsFragment }) {
  const refused = toRefusedBrowser(attempt);
  if (refused.at === null) return attempt.resultCode === null ? '–' : <AttemptResult of={attempt} />;
  return (
    <span title={`${refused.title}: ${refused.text}`}>
      {attempt.resultCode !== null && (
        <>
          <AttemptResult of={attempt} /> ·{' '}
        </>
      )}
      browser refused: {refused.text}
    </span>
  );
}

/** `The person refused access. ACCESS_DENIED`: the sentence, and the code beside it. */
export const AttemptResult = ({ of: { status, resultCode, resultMessage } }: { of: AttemptDetailsFragment }) => (
  <>
    {resultMessage ?? ATTEMPT_STATES[status].meaning}{' '}
    {resultCode !== null && (
      <Text span size="xs" c="dimmed" ff="monospace">
        {resultCode}
      </Text>
    )}
  </>
);

/** `HTTP 400 invalid_client`, with its meaning as the tooltip. */
function Cause({ of: attempt }: { of: AttemptDetailsFragment }) {
  const { lastAnswer, lastAnswerCode } = attempt;
  return (
    <span title={describeCause(attempt) ?? ''}>
      {lastAnswer !== null && <b>{lastAnswer.replace('_', ' ')}</b>}{' '}
      <Text span inherit c="dimmed">
        {lastAnswerCode}
      </Text>
    </span>
  );
}

/** For attempts of several apps. */
export const ATTEMPT_COLUMNS_WITH_APP: readonly Column<AttemptDetailsFragment>[] = ATTEMPT_COLUMNS.toSpliced(
  2,
  0,
  { name: 'App', share: 12, isExtra: true, cell: ({ appId, appName }) => <AppCell id={appId} name={appName} /> },
  { name: 'Person', share: 22, cell: (attempt) => <PersonName of={{ ...attempt, attemptId: attempt.id }} /> },
);

export const AttemptTable = ({ attempts, empty }: { attempts: readonly AttemptDetailsFragment[]; empty: string }) => (
  <DataTable caption="Attempts" items={attempts} idOf={({ id }) => id} empty={empty} columns={ATTEMPT_COLUMNS} />
);
