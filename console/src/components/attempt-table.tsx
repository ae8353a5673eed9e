import { formatProvider } from '../../../src/basics/format-provider.ts';
import type { AttemptDetailsFragment } from '../generated/operations.ts';
import { shortenId } from '../texts/format.ts';
import { describeCause } from '../texts/jobs.ts';
import { ATTEMPT_STATES } from '../texts/states.ts';
import { AppLink } from './app-link.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { InternalLink } from './links.tsx';
import { PersonName } from './names.tsx';
import { StateBadge } from './status-badge.tsx';
import { Time } from './time.tsx';

const ATTEMPT_COLUMNS: readonly Column<AttemptDetailsFragment>[] = [
  { name: 'Attempt', cell: ({ id }) => <InternalLink href={`/attempts/${id}`}>{shortenId(id)}</InternalLink> },
  { name: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Provider', cell: ({ provider }) => formatProvider(provider) },
  { name: 'Status', cell: ({ status }) => <StateBadge state={ATTEMPT_STATES[status]} /> },
  { name: 'Reason', cell: ({ resultMessage }) => resultMessage ?? '–' },
  { name: 'What came back', cell: (attempt) => describeCause(attempt) ?? '–' },
];

/** For attempts of several apps. */
export const ATTEMPT_COLUMNS_WITH_APP: readonly Column<AttemptDetailsFragment>[] = ATTEMPT_COLUMNS.toSpliced(
  2,
  0,
  { name: 'App', cell: ({ appId, appName }) => <AppLink id={appId} name={appName} /> },
  { name: 'Person', cell: (attempt) => <PersonName of={attempt} /> },
);

export const AttemptTable = ({ attempts, empty }: { attempts: readonly AttemptDetailsFragment[]; empty: string }) => (
  <DataTable caption="Attempts" items={attempts} idOf={({ id }) => id} empty={empty} columns={ATTEMPT_COLUMNS} />
);
