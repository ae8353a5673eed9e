import { vi } from 'vitest';
import type { TestService } from '../../test/kit/service.ts';
import { seedConnections, seedFailed } from '../../test/stack/many-people.ts';
import type { operator } from '../../test/stack/operator.ts';

/**
 * Creates the state after an outage of PROVIDER_B: `waiting` revokes whose next try is 50 minutes away, and `failed` that
 * have failed permanently.
 */
export async function leaveStuckRevokes(
  service: TestService,
  ask: Awaited<ReturnType<typeof operator>>,
  { waiting, failed }: { waiting: number; failed: number },
): Promise<void> {
  const { app, database, sandbox } = service;
  await seedConnections(service, waiting);
  const { id: fault } = sandbox.control.addFault({
    provider: 'PROVIDER_B',
    route: 'revoke',
    what: { kind: 'status', status: 503, retryAfterSeconds: 3_000 },
    times: null,
  });
  await ask('mutation ($i: DisconnectAllInput!) { disconnectAll(input: $i) { bulkDisconnect { id } } }', {
    i: { appId: app.appId, tenantKey: app.tenantKey },
  });
  const isWaiting = async () => {
    const [row] = await database.sql`
      select count(*)::int as count from disconnect_job where kind = 'REVOKE' and next_retry_at > business_now()
    `;
    return row?.count === waiting;
  };
  await vi.waitUntil(isWaiting, { timeout: 100_000, interval: 50 });
  // They are stuck once they have failed for 15 minutes.
  await database.sql`update disconnect_job set first_failed_at = first_failed_at - interval '20 minutes' where tries > 0`;
  if (failed > 0) await seedFailed(service, failed);
  sandbox.control.removeFault(fault);
  sandbox.control.clearCalls();
}
