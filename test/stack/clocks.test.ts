import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildHttpUrl } from '../../local/src/ports.ts';
import { IDP_CLIENT } from '../../sandbox/src/clients.ts';
import { allow, Browser } from '../kit/browser.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import type { TestApp } from '../kit/command-line.ts';
import { askAdmin } from '../kit/graphql.ts';
import { Person } from '../kit/person.ts';
import { insertAdminToken } from '../kit/seed.ts';
import { startTestService, type TestService } from '../kit/service.ts';
import { openReceiver, type Receiver } from '../kit/webhook-receiver.ts';

/**
 * The clock of the database is right, and so are the platforms'. Each process of the service is five minutes off, the two apis in
 * different directions. Each expectation has an earliest and a latest instant. All expected instants are those of a service whose clocks agree.
 */
const OFF = 5 * MINUTE_MS;
/** Steps take their time. */
const ABOUT = 20 * SECOND_MS;

const ROWAN = /^E-mail address verified$/;

describe('with a worker five minutes ahead, an api ahead and an api behind', () => {
  let service: TestService;
  let receiver: Receiver;
  let neighbour: TestApp;

  beforeAll(async () => {
    service = await startTestService({
      apis: 2,
      workers: 1,
      skews: { apis: [OFF, -OFF], workers: [OFF] },
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
});
