import { SWEEPS, type SweepKind } from '../../../src/basics/sweeps.ts';
import { wakeWebhooks } from '../../../src/outbox/wake-webhooks.ts';
import type { Facts } from '../facts.ts';
import { always, hasAttempt, hasConnection, hasPost, hasSignIn, type Operation } from './operation.ts';

/**
 * A worker takes the entries of some workflows out of the outbox, and runs these as far as they get.
 * @param pattern of `like`, for their ids
 */
const works = (name: string, pattern: string, fits: Operation['fits'] = hasConnection): Operation => ({
  name: `worker: ${name}`,
  fits,
  isTwice: true,
  run: (world) => world.drive(pattern),
});

const runsAttempt = (name: string, index: number): Operation => {
  const findId = ({ attempts }: Facts) => attempts[index]?.session.id;
  return {
    name: `worker: ${name}`,
    fits: (facts) => findId(facts) !== undefined,
    isTwice: true,
    run: (world, facts) => world.drive(`connect/${findId(facts)}`),
  };
};

export const WORKERS: readonly Operation[] = [
  runsAttempt('the attempt', 0),
  runsAttempt('the newer attempt', 1),
  works('the sign-in', 'identity/%', hasSignIn),
  works('disconnect', 'disconnect/%'),
  works('compensating revoke', 'revoke/%', (facts) => hasAttempt(facts) || facts.hasFailedRevoke === true),
  works('verification', 'verify/%'),
  works('scan', 'scan/%', hasPost),
  works('metrics refresh', 'metrics/%', hasPost),
  works('lookup', 'lookup/%', hasPost),
  works('upkeep', 'upkeep/%'),
  works('probe of our client', 'probe/%'),
  works('bulk disconnect', 'disconnect-all/%', (facts) => facts.hasBulk === true),
  {
    name: 'worker: webhooks',
    fits: (facts) => hasConnection(facts) || hasAttempt(facts),
    isTwice: true,
    run: async (world) => {
      await wakeWebhooks(world.workerDeps.sql);
      await world.drive('webhooks/%');
    },
  },
];

/** A round of each kind of housekeeping, with all of its steps. */
export const SWEEPERS: readonly Operation[] = (Object.keys(SWEEPS) as SweepKind[]).map((kind) => ({
  name: `sweep: ${kind}`,
  fits: always,
  isTwice: true,
  run: (world) => world.sweep(kind),
}));
