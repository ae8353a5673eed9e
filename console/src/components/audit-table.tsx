import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditEntryDetailsFragment } from '../generated/operations.ts';
import { describeAction, describeSetting, describeThing, getThingPath } from '../texts/audit.ts';
import { formatCount, shortenId } from '../texts/format.ts';
import { type Column, DataTable } from './data-table.tsx';
import { InternalLink } from './links.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Time } from './time.tsx';

export const AUDIT_COLUMNS: readonly Column<AuditEntryDetailsFragment>[] = [
  { name: 'Time', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
  { name: 'Operator', cell: (entry) => <Actor of={entry} /> },
  { name: 'Action', cell: ({ action }) => <span title={action}>{describeAction(action)}</span> },
  { name: 'Target', cell: (entry) => <Targets of={entry} /> },
  { name: 'Change', cell: ({ changes }) => <Changes of={changes} /> },
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
const MAX_TARGETS_SHOWN = 3;

/** What the act was about, by its present name, with a link to the other entries about it. */
function Targets({ of: { target, related, things } }: { of: AuditEntryDetailsFragment }) {
  const ids = target === null ? related : [target, ...related];
  if (ids.length === 0) return '–';
  return (
    <>
      {ids.slice(0, MAX_TARGETS_SHOWN).map((id) => {
        const thing = things.find((one) => one.id === id);
        return (
          <div key={id}>
            {thing && (
              <>
                <InternalLink href={getThingPath(thing)}>{describeThing(thing)}</InternalLink>{' '}
              </>
            )}
            <Text span size={thing ? 'xs' : 'sm'} ff={thing ? 'monospace' : 'inherit'}>
              <FilterLink field="target" value={id} name={`Entries about ${id}`}>
                {thing ? shortenId(id) : shortenHash(id)}
              </FilterLink>
            </Text>
          </div>
        );
      })}
      {ids.length > MAX_TARGETS_SHOWN && `and ${formatCount(ids.length - MAX_TARGETS_SHOWN, 'more', 'more')}`}
    </>
  );
}

/** A keyed hash names a tenant or a subject without saying who it is. */
const shortenHash = (name: string): string =>
  name.replace(/^(tenant|subject):(.{8}).{35}$/, (_, kind, start) => `a ${kind} (${start}…)`);

/** From what to what. */
const Changes = ({ of: changes }: { of: AuditEntryDetailsFragment['changes'] }) =>
  changes.length === 0
    ? '–'
    : changes.map(({ setting, from, to }) => (
        <div key={setting}>
          {describeSetting(setting)}: <s>{from ?? 'none'}</s> → {to ?? 'none'}
        </div>
      ));

interface FilterLinkProps {
  readonly field: 'actor' | 'target';
  readonly value: string;
  readonly name?: string;
  readonly children: ReactNode;
}

/** Links to the entries with this value. */
const FilterLink = ({ field, value, name, children }: FilterLinkProps) => (
  <InternalLink href={`/audit?${new URLSearchParams({ [field]: value })}`}>
    <span {...(name !== undefined && { title: name })}>{children}</span>
  </InternalLink>
);

export const AuditTable = ({ entries, empty }: { entries: readonly AuditEntryDetailsFragment[]; empty: string }) => (
  <DataTable caption="Audit log" items={entries} idOf={({ id }) => id} empty={empty} columns={AUDIT_COLUMNS} />
);
