import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildHttpUrl } from '../../local/src/ports.ts';
import { IDP_CLIENT } from '../../sandbox/src/clients.ts';
import { allow, Browser } from '../kit/browser.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import type { TestApp } from '../kit/command-line.ts';
import { askAdmin, refusalOf } from '../kit/graphql.ts';
import { Person } from '../kit/person.ts';
import { insertAdminToken } from '../kit/seed.ts';
import { startTestService, type TestService } from '../kit/service.ts';
import { openReceiver, type Receiver } from '../kit/webhook-receiver.ts';

/**
 * The clock of the database is right, and so are the platforms'. Each process of the service is five minutes off: the two apis in
 * different directions, and the worker in each direction in turn. All expected instants are those of a service whose clocks agree.
 */
const OFF = 5 * MINUTE_MS;
/** Steps take their time. */
const ABOUT = 20 * SECOND_MS;

const ROWAN = /^E-mail address verified$/;

describe.each([
  ['ahead', OFF],
  ['behind', -OFF],
])('with a worker five minutes %s, an api ahead and an api behind', (_direction, workerSkew) => {
  let service: TestService;
  let receiver: Receiver;
  let neighbour: TestApp;

  beforeAll(async () => {
    service = await startTestService({
      apis: 2,
      workers: 1,
      skews: { apis: [OFF, -OFF], workers: [workerSkew] },
      adjustments: ({ ports }) => ({
        ADMIN_URL: buildHttpUrl(ports.api),
        ADMIN_OIDC_ISSUER: `${buildHttpUrl(ports.sandbox)}/idp`,
        ADMIN_OIDC_CLIENT_ID: 'sandbox-idp-client-basic',
        ADMIN_OIDC_CLIENT_SECRET: IDP_CLIENT.clientSecret,
        ADMIN_OIDC_GROUP_CLAIM: 'email',
        ADMIN_OIDC_SCOPES: 'openid profile email',
        ADMIN_OIDC_ROLES: JSON.stringify({ 'rowan@sandbox.example': 'OPERATOR' }),
      }),
    });
    receiver = await openReceiver();
    neighbour = await service.commandLine.createApp({
      tenantKey: `tenant-${randomUUID()}`,
      returnUrl: service.app.returnUrl,
      identityReturnUrl: service.app.identityReturnUrl,
    });
  });
  afterAll(async () => {
    await receiver?.close();
    await service?.stop();
  });

  /** Moves business time and the platforms' clocks. */
  const advance = async (ms: number) => {
    await moveClock(service.database.sql, ms);
    const { offsetMs } = service.sandbox.control.clock();
    service.sandbox.control.setClock(offsetMs + ms);
  };
  const now = async () => (await businessNow(service.database.sql)).getTime();
  const newPerson = (app = service.app) => new Person({ ...service, app });
  /** Asks the admin API of one process. */
  const operate = async (api: number, query: string, variables: object = {}) => {
    const expiresAt = new Date((await now()) + HOUR_MS);
    const { token } = await insertAdminToken(service.database.sql, { label: 'test', role: 'ADMIN', expiresAt });
    return await askAdmin(service.apiUrls[api], token, query, variables);
  };

  test('a token ends at its platform’s time, and webhooks and sign-ins have the right time', async () => {
    const person = newPerson();
    const { createWebhookEndpoint: endpoint } = await operate(
      0,
      'mutation ($i: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $i) { endpoint { id } } }',
      { i: { appId: service.app.appId, url: receiver.url } },
    );
    expect(endpoint.endpoint.id).toBeTruthy();
    const ends: Record<string, number[]> = {};
    for (const [provider, note] of [
      ['PROVIDER_A', /^40 posts/],
      ['PROVIDER_B', /right to left/],
      ['PROVIDER_C', /^No posts/],
    ] as const) {
      const before = await now();
      const { status, connectionId } = await person.connect(provider, person.account(provider, note));
      expect(status, provider).toBe('COMPLETED');
      const [grant] = await service.database.sql`
        select access_expires_at, refresh_expires_at from account_grant where connection_id = ${connectionId}
      `;
      ends[provider] = [grant?.accessExpiresAt, grant?.refreshExpiresAt].map((at) => at?.getTime() - before);
    }
    const round = (ms: number) => (Number.isNaN(ms) ? null : Math.round(ms / (2 * MINUTE_MS)) * 2 * MINUTE_MS);
    // To two minutes.
    expect(Object.fromEntries(Object.entries(ends).map(([provider, each]) => [provider, each.map(round)]))).toEqual({
      PROVIDER_A: [HOUR_MS, null],
      PROVIDER_B: [2 * HOUR_MS, 180 * DAY_MS],
      PROVIDER_C: [60 * DAY_MS, 60 * DAY_MS],
    });
    await expect.poll(() => receiver.received.length).toBeGreaterThan(3);
    for (const { headers } of receiver.received)
      expect(Math.abs(Number(headers['webhook-timestamp']) * SECOND_MS - (await now()))).toBeLessThan(2 * MINUTE_MS);

    const session = await person.createSignIn();
    const page = await person.launch(session);
    const rowan = service.sandbox.control.people().find(({ note }) => ROWAN.test(note));
    await person.agree(page, rowan?.sub ?? '', ['email', 'profile']);
    expect(await person.redeem(session)).toMatchObject({ status: 'COMPLETED', email: 'rowan@sandbox.example' });
  });

  test('a key and a secret may expire in two minutes, and not two minutes ago', async () => {
    const issue = async (api: number, ms: number) =>
      operate(api, 'mutation ($i: IssueKeyInput!) { issueKey(input: $i) { key { id active } } }', {
        i: { appId: [service.app, neighbour][api]?.appId, expiresAt: new Date((await now()) + ms).toISOString() },
      });
    const register = async (api: number, ms: number) =>
      operate(api, 'mutation ($i: CreateRegistrationInput!) { createRegistration(input: $i) { id } }', {
        i: {
          ...{ provider: 'PROVIDER_B', label: 'Next', clientId: randomUUID(), clientSecret: 'hush-hush' },
          secretExpiresAt: new Date((await now()) + ms).toISOString(),
        },
      });
    for (const api of [0, 1]) {
      expect((await issue(api, 2 * MINUTE_MS)).issueKey.key.active).toBe(true);
      expect((await refusalOf(issue(api, -2 * MINUTE_MS))).code).toBe('BAD_USER_INPUT');
      expect((await register(api, 2 * MINUTE_MS)).createRegistration.id).toBeTruthy();
      expect((await refusalOf(register(api, -2 * MINUTE_MS))).code).toBe('BAD_USER_INPUT');
    }
  });

  test("an operator's sign-in ends at either api, within ten minutes, and the session lasts eight hours", async () => {
    const [first, second] = service.apiUrls;
    const rowan = service.sandbox.control.people().find(({ note }) => ROWAN.test(note));
    /** Begins at one api, and returns to the other. */
    const signIn = async (begunAt: string | undefined, endedAt: string | undefined, ms: number) => {
      const browser = new Browser(`${first}/api/admin/sign-in/callback`);
      const consent = await browser.open(`${begunAt}/api/admin/sign-in`);
      await advance(ms);
      const { url } = await browser.submit(consent, allow(rowan?.sub ?? '', ['openid', 'email', 'profile']));
      const cookie = Object.entries(browser.cookies)
        .map((pair) => pair.join('='))
        .join('; ');
      const back = new URL(url);
      return await fetch(`${endedAt}${back.pathname}${back.search}`, { headers: { cookie }, redirect: 'manual' });
    };
    const ways = [
      [first, second],
      [second, first],
    ] as const;
    for (const [begunAt, endedAt] of ways) {
      expect((await signIn(begunAt, endedAt, 0)).status).toBe(303);
      const [token] = await service.database.sql`
        select expires_at from admin_token where openid_sub is not null order by created_at desc limit 1
      `;
      expect(Math.abs(token?.expiresAt.getTime() - (await now()) - 8 * HOUR_MS)).toBeLessThan(ABOUT);
    }
    // Without its cookie it is of another browser.
    for (const [begunAt, endedAt] of ways) expect((await signIn(begunAt, endedAt, 11 * MINUTE_MS)).status).toBe(400);
  });

  test('an attempt ends EXPIRED at its deadline, and one of another app begun later does not', async () => {
    const [person, other] = [newPerson(), newPerson(neighbour)];
    const session = await person.createSession('PROVIDER_B');
    await person.launch(session);
    await advance(5 * MINUTE_MS);
    const later = await other.createSession('PROVIDER_B');
    await other.launch(later);
    const result = (of: Person, { id }: { id: string }, api: number) =>
      of.ask('connectSessionResult', { id }, { api }).then(({ status }) => status);
    await advance(Date.parse(session.expiresAt) - (await now()) - MINUTE_MS);
    for (const api of [0, 1]) expect(await result(person, session, api)).toBe('AUTHORIZING');
    await advance(MINUTE_MS + SECOND_MS);
    for (const api of [0, 1]) {
      await expect.poll(() => result(person, session, api)).toBe('EXPIRED');
      expect(await result(other, later, api)).toBe('AUTHORIZING');
    }
  });

  test('units count on the day of the platform, and a spent quota is back at its midnight', async () => {
    const person = newPerson();
    const { connectionId } = await person.connect('PROVIDER_A', person.account('PROVIDER_A', /^40 posts/));
    await person.synced(connectionId);
    // Two minutes before midnight in California, in winter.
    await advance(Date.parse('2028-01-15T07:58:00Z') - (await now()));
    const refresh = async () => {
      const job = await person.ask('requestRefresh', { connectionId });
      return await person.ended(connectionId, job.id);
    };
    const days = async () =>
      (
        await service.database.sql`
          select day::text from registration_usage where day > '2028-01-01' group by 1 order by 1
        `
      ).map(({ day }) => day);
    await refresh();
    expect(await days()).toEqual(['2028-01-14']);
    await advance(4 * MINUTE_MS);
    await refresh();
    expect(await days()).toEqual(['2028-01-14', '2028-01-15']);
    // Just after midnight the service tries again soon.
    await advance(30 * MINUTE_MS);
    service.sandbox.control.addFault({
      provider: 'PROVIDER_A',
      route: 'playlistItems',
      what: { kind: 'quota' },
      times: 1,
    });
    await person.ask('requestRefresh', { connectionId });
    const spentUntil = async () =>
      (
        await service.database.sql`
          select quota_spent_until as until from registration where quota_spent_until > business_now()
        `
      )[0]?.until;
    await expect.poll(spentUntil).toBeDefined();
    const aheadMs = (await spentUntil()).getTime() - Date.parse('2028-01-16T08:00:00Z');
    expect(Math.abs(aheadMs)).toBeLessThan(2 * MINUTE_MS);
  });

  test('a profile is blank when it is 30 days old, and not two minutes before', async () => {
    const [person, other] = [newPerson(), newPerson(neighbour)];
    const { connectionId } = await person.connect('PROVIDER_C', person.account('PROVIDER_C', /^No posts/));
    await advance(MINUTE_MS * 4);
    const kept = await other.connect('PROVIDER_B', other.account('PROVIDER_B', /right to left/));
    // No one may read them again meanwhile.
    await service.database.sql`update connection set upkeep_due_at = null`;
    const profiles = async (api: number) => [
      (await person.ask('connection', { id: connectionId }, { api })).profile !== null,
      (await other.ask('connection', { id: kept.connectionId }, { api })).profile !== null,
    ];
    const [row] = await service.database.sql`
      select profile_observed_at as at from connection where connection_id = ${connectionId}
    `;
    await advance(row?.at.getTime() + 30 * DAY_MS - 2 * MINUTE_MS - (await now()));
    await retention();
    for (const api of [0, 1]) expect(await profiles(api)).toEqual([true, true]);
    await advance(2 * MINUTE_MS);
    await retention();
    for (const api of [0, 1]) expect(await profiles(api)).toEqual([false, true]);
    const stored = await service.database.sql`
      select connection_id = ${connectionId} as older, profile is not null as kept from connection
      where connection_id in (${connectionId}, ${kept.connectionId}) order by older desc
    `;
    expect(stored.map(({ kept: isKept }) => isKept)).toEqual([false, true]);
  });

  const retention = () =>
    service.temporalClient.workflow.execute('sweep', {
      taskQueue: 'accounts',
      workflowId: `sweep-${randomUUID()}`,
      args: [{ kind: 'retention' }],
    });
});
