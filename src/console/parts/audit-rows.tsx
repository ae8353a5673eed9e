import type { EntryFragment } from '../generated/operations.ts';
import { State } from './badges.tsx';
import { type Column, Rows } from './rows.tsx';
import { Time } from './time.tsx';

export const AUDIT_COLUMNS: readonly Column<EntryFragment>[] = [
  { name: 'When', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
  { name: 'Who', cell: ({ actor }) => actor },
  { name: 'What', cell: ({ action }) => action },
  { name: 'About', cell: ({ target }) => target ?? '–' },
  { name: 'Outcome', cell: ({ outcome }) => <State of={outcome} /> },
  { name: 'Correlation id', cell: ({ correlationId }) => correlationId ?? '–' },
];

export const AuditRows = ({ entries, none }: { entries: readonly EntryFragment[]; none: string }) => (
  <Rows caption="Audit log" items={entries} idOf={({ id }) => id} none={none} columns={AUDIT_COLUMNS} />
);
