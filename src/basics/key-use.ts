/** Sentences that operators read before they revoke a key, in the console and at the command line. */

export const KEY_IN_USE = 'A system still uses this key. Replace the key there first.';

export const describeRevoke = ({ isOnly }: { isOnly: boolean }): string =>
  isOnly
    ? 'It is the only active key: the app has no access until it has another one.'
    : 'The service refuses requests with this key at once. The other key keeps working.';

const DAY_MS = 86_400_000;

/** @param unusedMs the time since its last use. */
export const isKeyInUse = (unusedMs: number): boolean => unusedMs < DAY_MS;
