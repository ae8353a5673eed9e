import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { deleteTenant } from '../../src/store/apps/tenants.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { updatePaused } from '../../src/store/registrations/known-registrations.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';
import { setEnabled } from '../kit/seed.ts';

async function scanning(stage: Stage) {
  const { connectionId } = await stage.newConnection();
  const { jobId } = await stage.newScan(connectionId);
  return { connectionId, step: () => runActivity(stage.activities.runScanStep, { jobId }) };
}

async function availabilities({ sql }: Stage, connectionId: ConnectionId) {
  const [row] = await sql`select capabilities from connection where connection_id = ${connectionId}`;
  const states: { capability: string; availability: string }[] = row?.capabilities;
  return Object.fromEntries(states.map(({ capability, availability }) => [capability, availability]));
}

describe('the permission check before every page of a scan', () => {
  const changes: [string, (stage: Stage, connectionId: ConnectionId) => Promise<unknown>, string][] = [
    ['a paused registration', ({ sql, seeded }) => updatePaused(sql, seeded.registrations.PROVIDER_B, true), 'Paused'],
    ['a suspended connection', ({ sql }, id) => moveConnection(sql, id, 'SUSPENDED'), 'Paused'],
    ['a grant that has ended', ({ sql }, id) => moveConnection(sql, id, 'RECONNECT_REQUIRED'), 'GrantDead'],
    [
      'an expired refresh token',
      ({ sql }, id) => sql`update account_grant set refresh_expires_at = business_now() where connection_id = ${id}`,
      'GrantDead',
    ],
    ['a disabled app', ({ sql, seeded }) => setEnabled(sql, seeded.app.appId, false), 'NotAllowed'],
    ['a removed tenant', ({ sql, seeded }) => deleteTenant(sql, seeded.app.appId, seeded.tenantKey), 'NotAllowed'],
    [
      'a policy that no longer allows it',
      ({ sql, seeded }) => sql`update app_policy set capabilities = ${['PROFILE']} where app_id = ${seeded.app.appId}`,
      'NotAllowed',
    ],
    [
      'a registration that no longer serves the app',
      ({ sql, seeded }) => sql`delete from registration_app where registration_id = ${seeded.registrations.PROVIDER_B}`,
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
    test(`ends with ${type}, without a call, after ${what}`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { connectionId, step } = await scanning(stage);
      await change(stage, connectionId);
      expect(await failureOf(step())).toMatchObject({ type });
      expect(stage.provider.listContent).not.toHaveBeenCalled();
    });
  }

  test('a permission that the provider reports missing is recorded on the connection', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, step } = await scanning(stage);
    stage.provider.listContent.mockRejectedValueOnce(new ProviderError('PermissionMissing', 'No.'));
    expect(await failureOf(step())).toMatchObject({ type: 'PermissionMissing' });
    expect(await availabilities(stage, connectionId)).toEqual({
      PROFILE: 'AVAILABLE',
      // All that need the same permission.
      CONTENT_LIST: 'NOT_GRANTED',
      CONTENT_LOOKUP: 'NOT_GRANTED',
      CONTENT_METRICS: 'NOT_GRANTED',
    });
  });

  test('a refresh that names fewer permissions withdraws the capabilities without a call', async ({ sql }) => {
    const stage = await openStage(sql);
    const tokens = newTokens({ accessExpiresAt: new Date() });
    const { connectionId } = await stage.newConnection({ tokens });
    const other = await stage.newConnection();
    const { jobId } = await stage.newScan(connectionId);
    stage.provider.refresh.mockResolvedValueOnce(newTokens({ permissions: ['user.info.basic'] }));
    const step = runActivity(stage.activities.runScanStep, { jobId });
    expect(await failureOf(step)).toMatchObject({ type: 'PermissionMissing' });
    expect(stage.provider.listContent).not.toHaveBeenCalled();
    expect(await availabilities(stage, connectionId)).toMatchObject({
      PROFILE: 'AVAILABLE',
      CONTENT_LIST: 'NOT_GRANTED',
    });
    expect(await availabilities(stage, other.connectionId)).toMatchObject({ CONTENT_LIST: 'AVAILABLE' });
  });
});
