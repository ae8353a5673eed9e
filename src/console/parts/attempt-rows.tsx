import type { TryFragment } from '../generated/operations.ts';
import { State } from './badges.tsx';
import { To } from './links.tsx';
import { type Column, Rows } from './rows.tsx';
import { Time } from './time.tsx';

export const ATTEMPT_COLUMNS: readonly Column<TryFragment>[] = [
  { name: 'Attempt', cell: ({ id }) => <To href={`/attempts/${id}`}>{id.slice(0, 8)}</To> },
  { name: 'Begun', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Provider', cell: ({ provider }) => provider },
  { name: 'Outcome', cell: ({ status }) => <State of={status} /> },
  { name: 'Why', cell: ({ resultMessage }) => resultMessage ?? '–' },
];

export const AttemptRows = ({ attempts, none }: { attempts: readonly TryFragment[]; none: string }) => (
  <Rows caption="Attempts" items={attempts} idOf={({ id }) => id} none={none} columns={ATTEMPT_COLUMNS} />
);
