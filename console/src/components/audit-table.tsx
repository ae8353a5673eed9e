import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { AuditEntryDetailsFragment } from '../generated/operations.ts';
import {
  describeChange,
  describeEntry,
  getThingPath,
  nameThing,
  nameUnknown,
  type SentencePart,
} from '../texts/audit.ts';
import { shortenId } from '../texts/format.ts';
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

/** `Ada 1f0c5a2e paused registration “Live TikTok” 77b1c2d3`: each thing links to its page, and its id to its other entries. */
const Sentence = ({ of: entry }: { of: AuditEntryDetailsFragment }) => (
  <span title={entry.action}>
    <Actor of={entry} />
    {describeEntry(entry).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an entry never change
      <Fragment key={index}>
        {part !== ',' && ' '}
        <Part of={part} />
      </Fragment>
    ))}
  </span>
);

function Part({ of: part }: { of: SentencePart }) {
  if (typeof part === 'string') return part;
  if ('name' in part) {
    return (
      <FilterLink field="target" value={part.name} name={`Entries about ${part.name}`}>
        {nameUnknown(part.name)}
      </FilterLink>
    );
  }
  const { thing } = part;
  return (
    <>
      {thing.exists ? <InternalLink href={getThingPath(thing)}>{nameThing(thing)}</InternalLink> : nameThing(thing)}{' '}
      <Text span size="xs" ff="monospace">
        <FilterLink field="target" value={thing.id} name={`Entries about ${thing.id}`}>
          {shortenId(thing.id)}
        </FilterLink>
      </Text>
    </>
  );
}

/** Old and new values in one line; the tooltip shows all of them. */
function Changes({ of: changes }: { of: AuditEntryDetailsFragment['changes'] }) {
  const texts = changes.map(describeChange);
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
