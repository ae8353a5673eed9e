import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EntryFragment } from '../generated/operations.ts';
import { shortId } from './app-name.tsx';
import { State } from './badges.tsx';
import { To } from './links.tsx';
import { type Column, Rows } from './rows.tsx';
import { Time } from './time.tsx';

export const AUDIT_COLUMNS: readonly Column<EntryFragment>[] = [
  { name: 'When', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
  { name: 'Who', cell: (entry) => <Who of={entry} /> },
  { name: 'What', cell: ({ action }) => action },
  {
    name: 'About',
    cell: ({ target }) =>
      target === null ? (
        '–'
      ) : (
        <Only field="target" value={target}>
          {target}
        </Only>
      ),
  },
  { name: 'Outcome', cell: ({ outcome }) => <State of={outcome} /> },
  { name: 'Correlation id', cell: ({ correlationId }) => correlationId ?? '–' },
];

/** Who it was, by name where there is one; it leads to all that they did. */
const Who = ({ of: { actor, actorLabel } }: { of: EntryFragment }) => (
  <Only field="actor" value={actor}>
    {actorLabel === null ? (
      actor
    ) : (
      <>
        {actorLabel}{' '}
        <Text span size="xs" ff="monospace">
          {shortId(actor.replace('token:', ''))}
        </Text>
      </>
    )}
  </Only>
);

/** Leads to the entries that share this value. */
const Only = ({ field, value, children }: { field: 'actor' | 'target'; value: string; children: ReactNode }) => (
  <To href={`/audit?${new URLSearchParams({ [field]: value })}`}>{children}</To>
);

export const AuditRows = ({ entries, none }: { entries: readonly EntryFragment[]; none: string }) => (
  <Rows caption="Audit log" items={entries} idOf={({ id }) => id} none={none} columns={AUDIT_COLUMNS} />
);
