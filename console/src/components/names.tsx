import { Button, Text } from '@mantine/core';
import { formatAccount, shortenMiddle } from '../../../src/basics/format-account.ts';
import type { ConnectionDetailsFragment } from '../generated/operations.ts';
import { Blank } from './data-table.tsx';
import { InternalLink } from './links.tsx';

interface Person {
  readonly appId: string;
  readonly tenantKey: string | null;
  readonly externalSubjectId: string | null;
  /** A connection or an attempt of theirs. */
  readonly connectionId?: string | null;
  readonly attemptId?: string | null;
}

/** The subject, with the way to all that is stored of the person. Who it is travels outside the URL; a new tab asks by what is in it. */
export const PersonLink = ({ of: person, isShort = false }: { of: Person; isShort?: boolean }) => {
  const { appId, tenantKey, externalSubjectId, attemptId, connectionId } = person;
  const by = attemptId ? `?attempt=${attemptId}` : connectionId ? `?connection=${connectionId}` : '';
  return tenantKey === null || externalSubjectId === null ? (
    <Blank />
  ) : (
    <InternalLink
      href={`/people${by}`}
      state={{ texts: { app: appId, tenant: tenantKey, subject: externalSubjectId }, trails: {} }}
    >
      {isShort ? shortenMiddle(externalSubjectId) : externalSubjectId}
    </InternalLink>
  );
};

/** A subject and its tenant, in the app's own words and in one line. */
export const PersonName = ({ of: person }: { of: Person }) =>
  person.tenantKey === null || person.externalSubjectId === null ? (
    <Blank />
  ) : (
    <span title={`${person.externalSubjectId} of tenant ${person.tenantKey}`}>
      <PersonLink of={person} isShort />
      <Text span inherit c="dimmed">
        {' '}
        · {shortenMiddle(person.tenantKey)}
      </Text>
    </span>
  );

type Account = Pick<ConnectionDetailsFragment, 'accountName' | 'accountHandle' | 'namesHidden' | 'providerAccountId'>;

/** How people call an account, in one line. How its platform calls it is its tooltip. */
export const AccountCell = ({ of }: { of: Account }) => (
  <span title={`${formatAccount(of)}: ${of.providerAccountId}${of.namesHidden ? ', name hidden' : ''}`}>
    {formatAccount(of) === of.providerAccountId ? shortenMiddle(of.providerAccountId) : formatAccount(of)}
    {of.namesHidden && (
      <Text span inherit c="dimmed">
        {' '}
        · name hidden
      </Text>
    )}
  </span>
);

/** How people call an account, and how its platform does. */
export const AccountName = ({ of }: { of: Account }) => (
  <div>
    <Text size="sm" component="div">
      {formatAccount(of)}
    </Text>
    {of.namesHidden && (
      <Text size="xs" c="dimmed" component="div">
        Name hidden
      </Text>
    )}
    {formatAccount(of) !== of.providerAccountId && (
      <Text size="xs" c="dimmed" ff="monospace" component="div">
        {of.providerAccountId}
      </Text>
    )}
  </div>
);

/** Asks for the names that the service hides; the audit log records it. Nothing while none is hidden. */
export const ShowNamesButton = ({ of, show }: { of: readonly Account[]; show: () => void }) =>
  of.some(({ namesHidden }) => namesHidden) && (
    <Button variant="default" onClick={show} title="The audit log records that you have seen them.">
      Show names
    </Button>
  );
