import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EntryFragment } from '../generated/operations.ts';
import { count } from '../words/count.ts';
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
    cell: ({ target, related }) => <About ids={target === null ? related : [target, ...related]} />,
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

/** As many of the ids as there is room for: hundreds may have been pushed at once. */
const IDS_SHOWN = 3;

const About = ({ ids }: { ids: readonly string[] }) =>
  ids.length === 0 ? (
    '–'
  ) : (
    <>
      {ids.slice(0, IDS_SHOWN).map((id) => (
        <div key={id}>
          <Only field="target" value={id}>
            {id}
          </Only>
        </div>
      ))}
      {ids.length > IDS_SHOWN && `and ${count(ids.length - IDS_SHOWN, 'more', 'more')}`}
    </>
  );

/** Leads to the entries that share this value. */
const Only = ({ field, value, children }: { field: 'actor' | 'target'; value: string; children: ReactNode }) => (
  <To href={`/audit?${new URLSearchParams({ [field]: value })}`}>{children}</To>
);

export const AuditRows = ({ entries, none }: { entries: readonly EntryFragment[]; none: string }) => (
  <Rows caption="Audit log" items={entries} idOf={({ id }) => id} none={none} columns={AUDIT_COLUMNS} />
);
