import { Text } from '@mantine/core';
import type { ConnectionDetailsFragment } from '../generated/operations.ts';

interface Person {
  readonly tenantKey: string | null;
  readonly externalSubjectId: string | null;
}

/** A tenant and a subject, in the app's own words. */
export const PersonName = ({ of: { tenantKey, externalSubjectId } }: { of: Person }) =>
  tenantKey === null ? (
    '–'
  ) : (
    <div>
      <Text size="sm" component="div">
        {externalSubjectId}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {tenantKey}
      </Text>
    </div>
  );

type Account = Pick<ConnectionDetailsFragment, 'accountName' | 'accountHandle' | 'providerAccountId'>;

/** `Night Desk (@nightdesk)`; the platform's id of an account whose names are not known. */
const formatAccount = ({ accountName, accountHandle, providerAccountId }: Account): string => {
  const handle = accountHandle && (accountHandle.startsWith('@') ? accountHandle : `@${accountHandle}`);
  if (accountName !== null) return handle ? `${accountName} (${handle})` : accountName;
  return handle || providerAccountId;
};

/** How people call an account, and how its platform does. */
export const AccountName = ({ of }: { of: Account }) => (
  <div>
    <Text size="sm" component="div">
      {formatAccount(of)}
    </Text>
    {formatAccount(of) !== of.providerAccountId && (
      <Text size="xs" c="dimmed" ff="monospace" component="div">
        {of.providerAccountId}
      </Text>
    )}
  </div>
);
