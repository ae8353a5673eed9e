import { vi } from 'vitest';
import type { Person } from '../kit/person.ts';
import type { TestService } from '../kit/service.ts';
import type { operator } from './operator.ts';

export type Ask = Awaited<ReturnType<typeof operator>>;

const OUTAGE = { kind: 'status', status: 503, retryAfterSeconds: 3_000 } as const;
const SOON = { interval: 20 };

/** Starts a revoke that fails and whose next try is 50 minutes away. `endOutage` lets the provider work again. */
export async function stuckRevoke(service: TestService, ask: Ask, person: Person, note = /^250 posts/) {
  const { control } = service.sandbox;
  const account = person.account('PROVIDER_B', note);
  const { connectionId } = await person.connect('PROVIDER_B', account);
  await person.synced(connectionId);
  const { id: fault } = control.addFault({
    provider: 'PROVIDER_B',
    route: 'revoke',
    account,
    what: OUTAGE,
    times: null,
  });
  const { revokeJobId } = await person.ask('disconnectConnection', { connectionId });
  const isWaiting = async () =>
    (await ask('query ($id: ID!) { job(id: $id) { nextRetryAt } }', { id: revokeJobId })).job.nextRetryAt !== null;
  await vi.waitUntil(isWaiting, SOON);
  // It is stuck once it has failed for 15 minutes.
  await service.database.sql`
    update disconnect_job set first_failed_at = first_failed_at - interval '20 minutes' where job_id = ${revokeJobId}
  `;
  return {
    account,
    connectionId: String(connectionId),
    revokeJobId,
    /** Safe to repeat. */
    endOutage: () => {
      if (control.faults().some(({ id }) => id === fault)) control.removeFault(fault);
    },
  };
}
