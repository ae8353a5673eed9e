import { Button, Text } from '@mantine/core';
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

type Account = Pick<ConnectionDetailsFragment, 'accountName' | 'accountHandle' | 'namesHidden' | 'providerAccountId'>;

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
