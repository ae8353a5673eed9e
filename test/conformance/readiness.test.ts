import { describe, expect } from 'vitest';
import { CAPABILITIES, PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { updateIdentityEnabled } from '../../src/store/issuers/identity-settings.ts';
import { deleteRejection } from '../../src/store/registrations/registrations.ts';
import { conformanceTest, outcomeOf } from '../kit/conformance.ts';
import type { Answer } from '../kit/graphql.ts';
import { insertTenant, rejectClient, updatePaused, updatePolicy } from '../kit/seed.ts';

const test = conformanceTest();

describe('IntegrationReadiness', () => {
  test('2 field rule 16: each provider once, available by policy, registration and pause', async ({ client, sql }) => {
    const { app, registrations } = client.seeded;
    const available = async () =>
      (await client.ask('integrationReadiness')).providers
        .filter((one: Answer) => one.available)
        .map((one: Answer) => one.provider);
    expect((await client.ask('integrationReadiness')).providers.map((one: Answer) => one.provider)).toEqual(
      PROVIDER_NAMES,
    );
    expect(await available()).toEqual(PROVIDER_NAMES);
    await updatePolicy(sql, app.appId, 'PROVIDER_A', { capabilities: [] });
    expect(await available()).toEqual(['PROVIDER_B', 'PROVIDER_C']);
    await updatePaused(sql, registrations.PROVIDER_B, true);
    expect(await available()).toEqual(['PROVIDER_C']);
    await rejectClient(sql, registrations.PROVIDER_C);
    expect(await available()).toEqual([]);
    await deleteRejection(sql, registrations.PROVIDER_C);
    expect(await available()).toEqual(['PROVIDER_C']);
    await sql`delete from registration_app where registration_id = ${registrations.PROVIDER_C}`;
    expect(await available()).toEqual([]);
    expect(CAPABILITIES).toHaveLength(4);
  });

  test.for(['tenant', 'return_url'] as const)(
    '2 field rule 16: without a row in %s no provider is available',
    async (table, { client, sql }) => {
      await sql`delete from ${sql(table)} where app_id = ${client.seeded.app.appId}`;
      const { providers, idpIdentityAvailable } = await client.ask('integrationReadiness');
      expect(providers.map((one: Answer) => one.available)).toEqual([false, false, false]);
      expect(idpIdentityAvailable).toBe(table === 'return_url');
    },
  );

  test('2 field rule 16: readiness of a provider agrees with an attempt there', async ({ client, sql }) => {
    const { registrations } = client.seeded;
    await updatePaused(sql, registrations.PROVIDER_A, true);
    await rejectClient(sql, registrations.PROVIDER_B);
    for (const { provider, available } of (await client.ask('integrationReadiness')).providers) {
      const outcome = await client.createSession({ provider }).then(
        () => true,
        () => false,
      );
      expect(outcome, provider).toBe(available);
    }
  });

  test('2 field rule 17 + 4 createIdpIdentitySession errors: a sign-in is available while its settings are enabled and a tenant exists', async ({
    client,
    sql,
  }) => {
    const { app } = client.seeded;
    const ready = async () => (await client.ask('integrationReadiness')).idpIdentityAvailable;
    expect(await ready()).toBe(true);
    await updateIdentityEnabled(sql, app.appId, false);
    expect([await ready(), await outcomeOf(client.createSignIn())]).toEqual([false, 'CAPABILITY_UNAVAILABLE']);
    await updateIdentityEnabled(sql, app.appId, true);
    await sql`delete from tenant where app_id = ${app.appId}`;
    expect(await ready()).toBe(false);
    await insertTenant(sql, app.appId, client.scope.tenantKey);
    await sql`delete from app_identity where app_id = ${app.appId}`;
    expect(await ready()).toBe(false);
    expect(await outcomeOf(client.createSignIn())).toBe('CAPABILITY_UNAVAILABLE');
    expect((await client.ask('integrationReadiness')).providers.every((one: Answer) => one.available)).toBe(true);
  });
});
