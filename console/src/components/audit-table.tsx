import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { AuditEntryDetailsFragment } from '../generated/operations.ts';
import { describeAct, describeSetting, describeThing, getThingPath, orderThings } from '../texts/audit.ts';
import { formatCount, isId, shortenId } from '../texts/format.ts';
import { Blank, type Column, DataTable } from './data-table.tsx';
import { InternalLink } from './links.tsx';
import { ShortId } from './short-id.tsx';
import { StatusDot } from './status-badge.tsx';
import { TimeCell } from './time.tsx';

export const AUDIT_COLUMNS: readonly Column<AuditEntryDetailsFragment>[] = [
  { name: 'Time', cell: ({ happenedAt }) => <TimeCell at={happenedAt} /> },
  { name: 'Entry', share: 56, wraps: true, cell: (entry) => <Sentence of={entry} /> },
  { name: 'Change', share: 28, wraps: true, cell: ({ changes }) => <Changes of={changes} /> },
  { name: 'Outcome', cell: ({ outcome }) => outcome !== 'DONE' && <StatusDot of={outcome} /> },
  {
    name: 'Correlation id',
    isExtra: true,
    cell: ({ correlationId }) => (correlationId === null ? '–' : <ShortId id={correlationId} of="request" />),
  },
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

/** One entry can have hundreds of targets, such as a bulk retry: the others show as a number. */
const MAX_SHOWN = 2;

/** `Ada 1f0c5a2e paused registration “Live TikTok” 77b1c2d3`: things by their present names, each with a link to its other entries. */
function Sentence({ of: entry }: { of: AuditEntryDetailsFragment }) {
  const { action, target, related, things } = entry;
  const named = orderThings(action, things).slice(0, MAX_SHOWN);
  const words = describeAct(action, named, entry.outcome === 'DONE');
  // A thing without a name, a tenant or a subject shows as its id or hash. Values of arguments are no targets.
  const unnamed = [target, ...related].filter(
    (id) => id !== null && isTarget(id) && !things.some((one) => one.id === id),
  );
  const more = things.length + unnamed.length - MAX_SHOWN;
  return (
    <span title={action}>
      <Actor of={entry} /> {named.length === 0 && words[0]}
      {named.map((thing, index) => (
        <Fragment key={thing.id}>
          {index > 0 && ' '}
          {words[index] ?? 'and'}{' '}
          <InternalLink href={getThingPath(thing)}>{toLower(describeThing(thing))}</InternalLink>{' '}
          <Text span size="xs" ff="monospace">
            <FilterLink field="target" value={thing.id} name={`Entries about ${thing.id}`}>
              {shortenId(thing.id)}
            </FilterLink>
          </Text>
        </Fragment>
      ))}
      {unnamed.slice(0, Math.max(0, MAX_SHOWN - named.length)).map((id) => (
        <Fragment key={id}>
          {joinTarget(String(id))}
          <FilterLink field="target" value={String(id)} name={`Entries about ${id}`}>
            {shortenHash(String(id))}
          </FilterLink>
        </Fragment>
      ))}
      {more > 0 && ` and ${formatCount(more, 'more', 'more')}`}
    </span>
  );
}

/** `registration “Live TikTok”`, within a sentence. */
const toLower = (thing: string): string => thing.charAt(0).toLowerCase() + thing.slice(1);

/** Whether it names something: an id, or the keyed hash of a tenant or subject. */
const isTarget = (name: string): boolean => isId(name) || /^(tenant|subject):/.test(name);

/** The words before a thing without a name: the tenant and the subject say where and of whom. */
const joinTarget = (name: string): string =>
  name.startsWith('tenant:') ? ' in ' : name.startsWith('subject:') ? ' about ' : ' ';

/** A keyed hash identifies a tenant or a subject without revealing it. */
const shortenHash = (name: string): string =>
  name.replace(/^(tenant|subject):(.{8}).{35}$/, (_, kind, start) => `a ${kind} (${start}…)`);

/** Old and new values in one line; the tooltip shows all of them. */
function Changes({ of: changes }: { of: AuditEntryDetailsFragment['changes'] }) {
  const texts = changes.map(
    ({ setting, from, to }) => `${describeSetting(setting)}: ${from ?? 'none'} → ${to ?? 'none'}`,
  );
  return texts.length === 0 ? <Blank /> : <span title={texts.join('\n')}>{texts.join('; ')}</span>;
}

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
