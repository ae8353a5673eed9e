import { expect } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { handleNotification } from '../../src/domain/disconnecting/handle-notification.ts';
import { openStage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { asApi, test } from '../kit/postgres.ts';
import { findAttempt } from '../kit/seed-attempts.ts';

test('a removal that a platform reports during exchanges verifies their connections and no others', async ({ sql }) => {
  const stage = await openStage(sql);
  const complete = async (provider: ProviderName, meanwhile: () => Promise<unknown> = async () => undefined) => {
    const { attemptId } = await stage.newExchangedAttempt({ provider });
    await meanwhile();
    await runActivity(stage.activities.completeAttempt, { attemptId });
    const attempt = await findAttempt(sql, attemptId);
    expect(attempt?.status).toBe('COMPLETED');
    return String(attempt?.connectionId);
  };
  // The account is not the attempt's, as far as anybody knows: the grant's own account comes later.
  const report = (provider: ProviderName) =>
    handleNotification(
      { ...stage.deps, sql: asApi(sql) },
      { registrationId: stage.seeded.registrations[provider], provider } as Parameters<typeof handleNotification>[1],
      { kind: 'removal', accountId: 'somebody', happenedAt: new Date(), byUs: false },
      newId<CorrelationId>(),
    );

  const before = await complete('PROVIDER_B');
  const during = await complete('PROVIDER_B', () => report('PROVIDER_B'));
  const ofAnother = await complete('PROVIDER_B', () => report('PROVIDER_C'));
  const after = await complete('PROVIDER_B');
  const verified = await sql`
    select input ->> 'connectionId' as id from outbox where workflow_type = 'verifyGrant'
      and input ->> 'connectionId' = any(${[before, during, ofAnother, after]})
  `;
  expect(verified.map(({ id }) => id)).toEqual([during]);
});
