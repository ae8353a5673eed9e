import { MINUTE_MS } from '../kit/clock.ts';
import type { Order } from './explore.ts';
import type { Move } from './play.ts';

/** One after another, each to its end. @param text the state, and the operations behind it */
function inTurn(text: string): Order {
  const [state = '', ...operations] = text.split(' | ');
  return { state, operations, plan: operations.map((_name, run) => ({ run, steps: Number.POSITIVE_INFINITY })) };
}

const withPlan = (state: string, operations: readonly string[], ...plan: readonly Move[]): Order => ({
  state,
  operations,
  plan,
});

/** Orders in which the explorer has found a promise broken, each with that promise. */
export const REGRESSIONS: Readonly<Record<string, Order>> = {
  'a sign-in is carried out that an operator has switched off': inTurn(
    'PROVIDER_A: a code of a sign-in waits for its exchange | operator: setIdentity, off',
  ),
  'a sign-in is DENIED after its expiresAt': withPlan(
    'PROVIDER_A: a sign-in comes back',
    ['browser: denied callback of the sign-in'],
    { run: 0, steps: 3 },
    { wait: 10 * MINUTE_MS + 1_000 },
  ),
  'a name stays beside a grant that waits for its revoke': inTurn(
    'PROVIDER_A: another account comes back for a reconnect, the platform cannot revoke | worker: the attempt',
  ),
  'a revoke of a replaced client ends the new grant of the same project': inTurn(
    'PROVIDER_A: connected by a client that was replaced, a reconnect comes back | worker: the attempt',
  ),
  'a disconnect ends the grant of another client of the project, and nobody verifies it': inTurn(
    'PROVIDER_A: two scopes, one account, two clients of one project | caller: disconnectConnection of the other connection',
  ),
  'upkeep reads a profile for a disabled app': inTurn('PROVIDER_A: connected, due for upkeep | operator: disableApp'),
  'an erased subject begins anew while its revoke waits': inTurn(
    'PROVIDER_A: disconnected, the revoke waits | operator: eraseSubject | caller: createConnectSession',
  ),
  'a scan runs for ever that a frozen worker believes to begin': withPlan(
    'PROVIDER_A: a scan waits',
    ['worker: scan', 'worker: scan'],
    { run: 0, steps: 2 },
    { lose: 0 },
    { run: 1, steps: Number.POSITIVE_INFINITY },
  ),
  'a revoke is retried without the tokens that an erasure discards': withPlan(
    'PROVIDER_B: the platform was away for 72 hours: the revoke has failed',
    ['operator: retryJobs', 'operator: eraseSubject'],
    { run: 1, steps: 4 },
  ),
  'an older attempt cancels a newer one': inTurn(
    'PROVIDER_C: connected, two reconnects come back | worker: the attempt',
  ),
  'an older attempt takes the place of a newer consent': inTurn(
    'PROVIDER_B: connected, two consents come back | worker: the newer attempt | worker: the attempt',
  ),
  'an attempt is EXPIRED before its expiresAt': inTurn(
    'PROVIDER_A: a code waits for its exchange, Temporal is 2 s ahead | worker: the attempt',
  ),
  'a code is exchanged for an app that was just stopped': withPlan(
    'PROVIDER_B: a code waits for its exchange',
    ['worker: the attempt', 'operator: stopServingApp'],
    { run: 0, steps: 3 },
    { run: 1, steps: Number.POSITIVE_INFINITY },
  ),
  'a removal that is reported during an exchange goes unnoticed': withPlan(
    'PROVIDER_B: the person has removed the app, a reconnect comes back',
    ['worker: the attempt', 'platform: says that the person has removed the app'],
    { run: 0, steps: 9 },
  ),
  'a sender of webhooks asks without end for what another transaction holds': withPlan(
    'PROVIDER_B: a lookup waits',
    ['worker: webhooks', 'operator: redeliverWebhooks'],
    { run: 1, steps: 4 },
    { run: 0, steps: Number.POSITIVE_INFINITY },
  ),
};
