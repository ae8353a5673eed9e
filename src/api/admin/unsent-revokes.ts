import { PLATFORM_NAMES, type ProviderName } from '../../basics/codes.ts';
import type { Unsent } from '../../domain/disconnecting/foresee-revokes.ts';
import { GRANT_IN_USE } from './to-graphql.ts';

const UNSENT: Readonly<Record<Unsent, string>> = {
  NO_REVOKE: 'this provider offers no revoke. The person still sees the app there, until they remove it.',
  ENDED: 'the grant has ended already.',
  MAY_HAVE_ENDED:
    'the grant may have ended; the answer that would show it was lost. The person may still see the app there, until they remove it.',
  IN_USE: `${GRANT_IN_USE} The person still sees the app there, until they remove it.`,
};

/** Says for how many connections at a platform no revoke will be sent, and why. */
export function describeUnsent(provider: ProviderName, unsent: Unsent, count: number): string {
  const connections = count === 1 ? '1 connection' : `${count} connections`;
  return `No revoke will be sent for ${connections} at ${PLATFORM_NAMES[provider]}: ${UNSENT[unsent]}`;
}
