import { expect } from 'vitest';
import { callerOf, createDeps } from '../../kit/caller.ts';
import type { RootField } from '../../kit/graphql.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection, seedContent } from '../../kit/seed.ts';

/** Every mutation that starts a workflow, in an order that is possible on one connection. */
const STARTS = [
  ['requestRefresh', 'scan', ['connectionId', 'jobId', 'provider']],
  ['requestRefresh of a post', 'metricsRefresh', ['connectionId', 'jobId', 'provider']],
  ['requestContentLookup', 'contentLookup', ['connectionId', 'jobId', 'provider']],
  ['disconnectConnection', 'disconnect', ['connectionId', 'eraseJobId', 'provider', 'reason', 'revokeJobId']],
] as const;

test('each mutation stores one dispatch with ids alone, wakes the outbox, and does neither for work in flight', async ({
  sql,
}) => {
  const kit = await createDeps(sql);
  const seeded = await seedApp(sql);
  const call = callerOf(kit, seeded);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const providerContentId = await seedContent(sql, connectionId, { publishedAt: new Date() });
  const { returnUrl, tenantKey } = seeded;
  const url = 'https://platform.example/private';
  const ARGS: Readonly<Record<(typeof STARTS)[number][0], object>> = {
    requestRefresh: { scope, connectionId },
    'requestRefresh of a post': { scope, connectionId, providerContentId },
    requestContentLookup: { scope, connectionId, url },
    disconnectConnection: { scope, connectionId },
  };
  await sql`delete from outbox`;
  let wakes = 0;
  for (const [name, workflowType, input] of STARTS) {
    const [field = ''] = name.split(' ');
    await call(field as RootField, ARGS[name]);
    wakes += 1;
    expect(kit.deliveryRequests(), name).toBe(wakes);
    const entries = await sql`delete from outbox returning *`;
    expect(
      entries.filter((entry) => entry.workflowType === workflowType),
      name,
    ).toHaveLength(1);
    expect(Object.keys(entries.find((entry) => entry.workflowType === workflowType)?.input).sort(), name).toEqual(
      input,
    );
    for (const secret of [scope.externalSubjectId, tenantKey, url, returnUrl, providerContentId])
      expect(JSON.stringify(entries), name).not.toContain(secret);
    if (!/^request/.test(field)) continue;
    await call(field as RootField, ARGS[name]);
    expect([kit.deliveryRequests(), await sql`select from outbox`], name).toMatchObject([wakes, []]);
  }
});

test('a session starts no workflow before its person comes back, and wakes nothing', async ({ sql }) => {
  const kit = await createDeps(sql);
  const seeded = await seedApp(sql);
  const call = callerOf(kit, seeded);
  const { returnUrl, identityReturnUrl, tenantKey } = seeded;
  await sql`delete from outbox`;
  const input = { scope: seeded.newScope(), provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl };
  await call('createConnectSession', { input });
  await call('createIdpIdentitySession', { input: { tenantKey, returnUrl: identityReturnUrl } });
  expect([kit.deliveryRequests(), await sql`select from outbox`]).toMatchObject([0, []]);
});
