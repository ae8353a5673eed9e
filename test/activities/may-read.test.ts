import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';
import { failureOf, openStage, type Stage } from './stage.ts';

async function scanning(stage: Stage) {
  const { connectionId } = await stage.newConnection();
  const { jobId } = await stage.newScan(connectionId);
  return { connectionId, step: () => runActivity(stage.activities.runScanStep, { jobId }) };
}

describe('the permission check before every page of a scan', () => {
  const changes: [string, (stage: Stage, connectionId: ConnectionId) => Promise<unknown>, string][] = [
    [
      'a paused registration',
      ({ sql, seeded }) =>
        sql`update registration set paused_at = business_now() where registration_id = ${seeded.registrations.PROVIDER_B}`,
      'Paused',
    ],
    [
      'a suspended connection',
      ({ sql }, id) => sql`update connection set status = 'SUSPENDED' where connection_id = ${id}`,
      'Paused',
    ],
    [
      'a grant that has ended',
      ({ sql }, id) => sql`update connection set status = 'RECONNECT_REQUIRED' where connection_id = ${id}`,
      'GrantDead',
    ],
    [
      'an expired refresh token',
      ({ sql }, id) => sql`update account_grant set refresh_expires_at = business_now() where connection_id = ${id}`,
      'GrantDead',
    ],
    [
      'a disabled app',
      ({ sql, seeded }) => sql`update app set enabled = false where app_id = ${seeded.app.appId}`,
      'NotAllowed',
    ],
    ['a removed tenant', ({ sql, seeded }) => sql`delete from tenant where app_id = ${seeded.app.appId}`, 'NotAllowed'],
    [
      'a policy that no longer allows it',
      ({ sql, seeded }) => sql`update app_policy set capabilities = ${['PROFILE']} where app_id = ${seeded.app.appId}`,
      'NotAllowed',
    ],
    [
      'a registration that no longer serves the app',
      ({ sql, seeded }) => sql`delete from registration_app where app_id = ${seeded.app.appId}`,
      'NotAllowed',
    ],
    [
      'a withdrawn capability',
      ({ sql }, id) =>
        sql`update connection set capabilities = '[{"capability":"CONTENT_LIST","availability":"NOT_GRANTED","reason":"x"}]' where connection_id = ${id}`,
      'NotAllowed',
    ],
  ];
  for (const [what, change, type] of changes) {
    test(`ends with ${type}, without a call, after ${what}`, async ({ database: { sql } }) => {
      const stage = await openStage(sql);
      const { connectionId, step } = await scanning(stage);
      await change(stage, connectionId);
      expect(await failureOf(step())).toMatchObject({ type });
      expect(stage.provider.listContent).not.toHaveBeenCalled();
    });
  }

  test('a permission that the provider reports missing is recorded on the connection', async ({
    database: { sql },
  }) => {
    const stage = await openStage(sql);
    const { connectionId, step } = await scanning(stage);
    stage.provider.listContent.mockRejectedValueOnce(new ProviderError('PermissionMissing', 'No.'));
    expect(await failureOf(step())).toMatchObject({ type: 'PermissionMissing' });
    const [row] = await sql`select capabilities from connection where connection_id = ${connectionId}`;
    const states = Object.fromEntries(
      row?.capabilities.map((state: { capability: string; availability: string }) => [
        state.capability,
        state.availability,
      ]),
    );
    expect(states).toMatchObject({ CONTENT_LIST: 'NOT_GRANTED', PROFILE: 'AVAILABLE' });
  });
});
