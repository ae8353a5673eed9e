/** The names of accounts and persons for operators, in the console and at the command line. */

const MOST_SHOWN = 18;

/** `000QHeDW…DEMO` for a long word: its first 8 characters and its last 4. */
export const shortenMiddle = (text: string): string =>
  text.length <= MOST_SHOWN || /\s/.test(text) ? text : `${text.slice(0, 8)}…${text.slice(-4)}`;

interface Account {
  readonly accountName: string | null;
  readonly accountHandle: string | null;
  readonly providerAccountId: string;
}

/** `Night Desk (@nightdesk)`; the platform's id of an account whose names are not known. */
export const formatAccount = ({ accountName, accountHandle, providerAccountId }: Account): string => {
  const handle = accountHandle && (accountHandle.startsWith('@') ? accountHandle : `@${accountHandle}`);
  if (accountName !== null) return handle ? `${accountName} (${handle})` : accountName;
  return handle || providerAccountId;
};
