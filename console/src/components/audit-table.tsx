import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditEntryDetailsFragment } from '../generated/operations.ts';
import { formatCount, shortenId } from '../texts/format.ts';
import { type Column, DataTable } from './data-table.tsx';
import { InternalLink } from './links.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Time } from './time.tsx';

export const AUDIT_COLUMNS: readonly Column<AuditEntryDetailsFragment>[] = [
  { name: 'Time', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
  { name: 'Operator', cell: (entry) => <Actor of={entry} /> },
  { name: 'Action', cell: ({ action }) => action },
  {
    name: 'Target',
    cell: ({ target, related }) => <Targets ids={target === null ? related : [target, ...related]} />,
  },
  { name: 'Outcome', cell: ({ outcome }) => <StatusBadge of={outcome} /> },
  { name: 'Correlation id', cell: ({ correlationId }) => correlationId ?? '–' },
];

/** The label with the beginning of the token's id, since two tokens may have the same label. */
export const formatActor = ({ actor, actorLabel }: Pick<AuditEntryDetailsFragment, 'actor' | 'actorLabel'>): string =>
  actorLabel === null ? actor : `${actorLabel} ${shortenId(actor.replace('token:', ''))}`;

/** The operator's name, or the token if it has none. It links to all entries of this operator. */
const Actor = ({ of: { actor, actorLabel } }: { of: AuditEntryDetailsFragment }) => (
  <FilterLink field="actor" value={actor}>
    {actorLabel === null ? (
      actor
    ) : (
      <>
        {actorLabel}{' '}
        <Text span size="xs" ff="monospace">
          {shortenId(actor.replace('token:', ''))}
        </Text>
      </>
    )}
  </FilterLink>
);

/** One entry can have hundreds of targets, such as a bulk retry. */
const MAX_IDS_SHOWN = 3;

const Targets = ({ ids }: { ids: readonly string[] }) =>
  ids.length === 0 ? (
    '–'
  ) : (
    <>
      {ids.slice(0, MAX_IDS_SHOWN).map((id) => (
        <div key={id}>
          <FilterLink field="target" value={id}>
            {id}
          </FilterLink>
        </div>
      ))}
      {ids.length > MAX_IDS_SHOWN && `and ${formatCount(ids.length - MAX_IDS_SHOWN, 'more', 'more')}`}
    </>
  );

/** Links to the entries with this value. */
const FilterLink = ({ field, value, children }: { field: 'actor' | 'target'; value: string; children: ReactNode }) => (
  <InternalLink href={`/audit?${new URLSearchParams({ [field]: value })}`}>{children}</InternalLink>
);

export const AuditTable = ({ entries, empty }: { entries: readonly AuditEntryDetailsFragment[]; empty: string }) => (
  <DataTable caption="Audit log" items={entries} idOf={({ id }) => id} empty={empty} columns={AUDIT_COLUMNS} />
);
