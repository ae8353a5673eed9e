import type { TryFragment } from '../generated/operations.ts';
import { AppName, shortId } from './app-name.tsx';
import { State } from './badges.tsx';
import { To } from './links.tsx';
import { type Column, Rows } from './rows.tsx';
import { Time } from './time.tsx';

const ATTEMPT_COLUMNS: readonly Column<TryFragment>[] = [
  { name: 'Attempt', cell: ({ id }) => <To href={`/attempts/${id}`}>{shortId(id)}</To> },
  { name: 'Begun', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Provider', cell: ({ provider }) => provider },
  { name: 'Outcome', cell: ({ status }) => <State of={status} /> },
  { name: 'Why', cell: ({ resultMessage }) => resultMessage ?? '–' },
];

/** Of attempts of several apps. */
export const ATTEMPTS_OF_ALL: readonly Column<TryFragment>[] = ATTEMPT_COLUMNS.toSpliced(2, 0, {
  name: 'App',
  cell: ({ appId, appName }) => <AppName id={appId} name={appName} />,
});

export const AttemptRows = ({ attempts, none }: { attempts: readonly TryFragment[]; none: string }) => (
  <Rows caption="Attempts" items={attempts} idOf={({ id }) => id} none={none} columns={ATTEMPT_COLUMNS} />
);
