import { Text } from '@mantine/core';
import type { EntryFragment } from '../generated/operations.ts';
import { State } from './badges.tsx';
import { To } from './links.tsx';
import { type Column, Rows } from './rows.tsx';
import { Time } from './time.tsx';

export const AUDIT_COLUMNS: readonly Column<EntryFragment>[] = [
  { name: 'When', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
  { name: 'Who', cell: (entry) => <Who of={entry} /> },
  { name: 'What', cell: ({ action }) => action },
  { name: 'About', cell: ({ target }) => (target === null ? '–' : <Only field="target" value={target} />) },
  { name: 'Outcome', cell: ({ outcome }) => <State of={outcome} /> },
  { name: 'Correlation id', cell: ({ correlationId }) => correlationId ?? '–' },
];

/** Who it was, by name where there is one; it leads to all that they did. */
const Who = ({ of: { actor, actorLabel } }: { of: EntryFragment }) => (
  <div>
    {actorLabel !== null && <div>{actorLabel}</div>}
    <Text size={actorLabel === null ? 'sm' : 'xs'} component="div">
      <Only field="actor" value={actor} />
    </Text>
  </div>
);

/** Leads to the entries that share this value. */
const Only = ({ field, value }: { field: 'actor' | 'target'; value: string }) => (
  <To href={`/audit?${new URLSearchParams({ [field]: value })}`}>{value}</To>
);

export const AuditRows = ({ entries, none }: { entries: readonly EntryFragment[]; none: string }) => (
  <Rows caption="Audit log" items={entries} idOf={({ id }) => id} none={none} columns={AUDIT_COLUMNS} />
);
