import { describe, expect } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { connectWorkflow, disconnectWorkflow, type Service, type User, until, workTest } from '../kit/at-work.ts';
import { DAY, MINUTE, outcomeOf } from '../kit/conformance.ts';
import { type Answer, refusalOf } from '../kit/graphql.ts';
import { PERMISSIONS } from '../kit/person.ts';
import { seedConnection } from '../kit/seed.ts';
import { booksOf, DOWN, emptyOf, nightOf } from './usual.ts';

/** Siblings are suspended, as in production. */
const test = workTest({ SUSPEND_SIBLINGS: 'true' });

const ALL = PERMISSIONS.PROVIDER_B;

/** Makes the platform fail. @returns a function that restores it. */
function trouble({ control }: Service, route: string, what: Parameters<typeof control.addFault>[0]['what'] = DOWN) {
  const fault = { provider: 'PROVIDER_B', route, what, times: null } as const;
  const { id } = control.addFault(fault);
  return () => control.removeFault(id);
}

const pause = (user: User, provider: ProviderName = 'PROVIDER_B') =>
  `pauseRegistration(id: "${user.seeded.registrations[provider]}")`;
const resume = (user: User) => `resumeRegistration(id: "${user.seeded.registrations.PROVIDER_B}")`;
const allow = (user: User, capabilities: string) =>
  `setPolicy(appId: "${user.appId}", provider: PROVIDER_B, capabilities: [${capabilities}])`;

/** An attempt after the consent; the platform fails when the worker reads its account. */
async function exchanging(user: User, service: Service, options: Parameters<User['newAttempt']>[1] = {}) {
  const end = trouble(service, 'userInfo');
  const session = await user.newAttempt('PROVIDER_B', options);
  void (await user.consent(session, nightOf(user), ALL))();
  await until(async () => user.liveGrants(nightOf(user)).length > 0);
  expect(await user.result(session.id)).toMatchObject({ status: 'EXCHANGING', resultCode: null, connectionId: null });
  return { session, end };
}

/** For each status, how an attempt reaches it. */
const WAYS: Readonly<Record<string, (user: User, service: Service) => Promise<Answer>>> = {
  CREATED: (user) => user.newAttempt('PROVIDER_B'),
  AUTHORIZING: async (user) => {
    const session = await user.newAttempt('PROVIDER_B');
    await user.open(session);
    return session;
  },
  EXCHANGING: async (user, service) => (await exchanging(user, service)).session,
  COMPLETED: async (user) => {
    const session = await user.newAttempt('PROVIDER_B');
    await (await user.consent(session, emptyOf(user), ALL))();
    return session;
  },
  DENIED: async (user) => {
    const session = await user.newAttempt('PROVIDER_B');
    await user.deny(await user.open(session));
    return session;
  },
  FAILED: async (user, service) => {
    const session = await user.newAttempt('PROVIDER_B');
    await service.operate(pause(user));
    await user.open(session);
    await service.operate(resume(user));
    return session;
  },
  CANCELED: async (user, service) => {
    const session = await user.newAttempt('PROVIDER_B');
    await service.operate(`cancelAttempt(id: "${session.id}")`);
    return session;
  },
};
const UNFINISHED = ['CREATED', 'AUTHORIZING', 'EXCHANGING'];

describe('deadlines', () => {
  for (const [status, come] of Object.entries(WAYS)) {
    const overdue = UNFINISHED.includes(status) ? 'EXPIRED' : status;
    test(`3 attempt overdue + 8 attempt deadline + 8 attempt result + 3 attempt result gone: a ${status} attempt reads ${overdue} after 10 minutes and is NOT_FOUND after 24 hours`, async ({
      user,
      service,
    }) => {
      const session = await come(user, service);
      const result = async () => (await user.finishedOr(session.id, UNFINISHED.includes(status))).status;
      expect(await result()).toBe(status);
      const { expiresAt, resultExpiresAt } = await user.result(session.id);
      expect(Date.parse(resultExpiresAt) - Date.parse(expiresAt)).toBe(DAY - 10 * MINUTE);
      await service.at(Date.parse(expiresAt) - 1);
      expect(await result()).toBe(status);
      const before = await user.result(session.id);
      await service.at(Date.parse(expiresAt));
      const ended = { ...before, status: 'EXPIRED', resultCode: 'EXPIRED', connectionId: null };
      expect(await user.result(session.id)).toEqual(overdue === 'EXPIRED' ? ended : before);
      await service.at(Date.parse(resultExpiresAt) - 1);
      expect(await result()).toBe(overdue);
      await service.at(Date.parse(resultExpiresAt));
      expect(await user.outcome('connectSessionResult', { id: session.id })).toBe('NOT_FOUND');
    });
  }

  test('D attempt expired: a callback at the deadline is too late, not a millisecond earlier', async ({
    user,
    service,
  }) => {
    const [early, late] = [await user.newAttempt('PROVIDER_B'), await user.newAttempt('PROVIDER_B')];
    const [first, second] = [
      await user.consent(early, emptyOf(user), ALL),
      await user.consent(late, emptyOf(user), ALL),
    ];
    await service.at(Date.parse(late.expiresAt));
    expect((await second()).status).toBe(410);
    expect(await user.result(late.id)).toMatchObject({ status: 'EXPIRED', connectionId: null });
    await service.at(Date.parse(early.expiresAt) - 1);
    expect((await first()).status).toBe(303);
    expect(await user.finished(early.id)).toMatchObject({ status: 'COMPLETED' });
  });

  test('D attempt expired: if no answer came, the result reports that a grant may exist', async ({ user, service }) => {
    service.control.addFault({ provider: 'PROVIDER_B', route: 'token', what: { kind: 'hang' } });
    const session = await user.newAttempt('PROVIDER_B');
    const callBack = await user.consent(session, nightOf(user), ALL);
    void callBack().catch(() => undefined);
    await until(async () => service.control.calls({ route: 'token' }).length > 0);
    // The caller of the exchange no longer waits.
    await service.terminate(connectWorkflow(session.id));
    await service.at(Date.parse(session.expiresAt) + 2 * MINUTE);
    await service.sweep('reconcile');
    expect(await user.result(session.id)).toMatchObject({
      status: 'EXPIRED',
      resultCode: 'EXPIRED',
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
    });
  });

  test('D attempt expired + D transitions: a completion at the deadline is EXPIRED, and revoked', async ({
    user,
    service,
  }) => {
    const { session, end } = await exchanging(user, service);
    await service.at(Date.parse(session.expiresAt));
    end();
    await until(async () => user.liveGrants(nightOf(user)).length === 0);
    const expired = { status: 'EXPIRED', resultCode: 'EXPIRED', connectionId: null, creatorAction: null };
    expect(await user.result(session.id)).toMatchObject(expired);
    expect((await user.ask('connections')).items).toEqual([]);
  });

  test.for([
    ['EXPIRED', (service: Service, { expiresAt }: Answer) => service.at(Date.parse(expiresAt))],
    ['CANCELED', (service: Service, { id }: Answer) => service.operate(`cancelAttempt(id: "${id}")`)],
  ] as const)(
    'D attempt expired + D attempt canceled: if the grant may still exist, an attempt that is %s adds that later and changes nothing more',
    async ([status, end], { user, service }) => {
      const account = user.account('PROVIDER_C', /^Creator account/);
      const { id } = service.control.addFault({ provider: 'PROVIDER_C', route: 'me', what: DOWN, times: null });
      const session = await user.newAttempt('PROVIDER_C');
      void (await user.consent(session, account, PERMISSIONS.PROVIDER_C))();
      await until(async () => user.liveGrants(account).length > 0);
      await end(service, session);
      const read = await user.result(session.id);
      expect(read).toMatchObject({ status, resultCode: status, connectionId: null }); // The action may be there by now.
      service.control.removeFault(id);
      await service.closed(connectWorkflow(session.id));
      expect(await user.result(session.id)).toEqual({ ...read, creatorAction: 'REMOVE_APP_AT_PROVIDER' });
    },
  );
});

describe('how an attempt ends', () => {
  const failed = (resultCode: string) => ({
    status: 'FAILED',
    resultCode,
    connectionId: null,
    creatorAction: null,
  });

  test('3 attempt completed + 2 field rule 14: a COMPLETED one has a connection id and no code', async ({ user }) => {
    const result = await user.attempt('PROVIDER_B', nightOf(user));
    expect(result).toMatchObject({ status: 'COMPLETED', resultCode: null, creatorAction: null });
    expect(await user.connection(result.connectionId)).toMatchObject({
      id: result.connectionId,
      status: 'CONNECTED',
      providerAccountId: nightOf(user),
    });
    expect((await user.ask('connections')).items).toHaveLength(1);
  });

  test('D attempt resultCode + 2 field rule 3: PARTIAL_PERMISSION when the person grants a part, and the connection has only that part', async ({
    user,
  }) => {
    const permissions = ['user.info.basic', 'user.info.profile'];
    const result = await user.attempt('PROVIDER_B', nightOf(user), { permissions });
    expect(result).toMatchObject({ status: 'COMPLETED', resultCode: 'PARTIAL_PERMISSION', creatorAction: null });
    expect((await user.connection(result.connectionId)).capabilities).toEqual([
      { capability: 'PROFILE', availability: 'AVAILABLE', reason: null },
    ]);
  });

  test('2 field rule 3: a connection never has a capability that the caller did not ask for', async ({ user }) => {
    const result = await user.attempt('PROVIDER_B', nightOf(user), { capabilities: ['PROFILE', 'CONTENT_LIST'] });
    expect(result).toMatchObject({ status: 'COMPLETED', resultCode: null });
    expect((await user.connection(result.connectionId)).capabilities).toEqual([
      { capability: 'PROFILE', availability: 'AVAILABLE', reason: null },
      { capability: 'CONTENT_LIST', availability: 'AVAILABLE', reason: null },
    ]);
  });

  test('D attempt resultCode: MISSING_PERMISSION if the person grants nothing of it; it is revoked', async ({
    user,
  }) => {
    const options = { capabilities: ['CONTENT_LIST'], permissions: ['user.info.basic'] } as const;
    expect(await user.attempt('PROVIDER_B', nightOf(user), options)).toMatchObject(failed('MISSING_PERMISSION'));
    await until(async () => user.liveGrants(nightOf(user)).length === 0);
  });

  test('D attempt resultCode: ACCOUNT_UNUSABLE when a Google account has no channel', async ({ user }) => {
    const account = user.account('PROVIDER_A', /without a channel/);
    expect(await user.attempt('PROVIDER_A', account)).toMatchObject(failed('ACCOUNT_UNUSABLE'));
    await until(async () => user.liveGrants(account).length === 0);
    // The platform names the fault only with every permission granted.
    const options = { permissions: ['openid'] } as const;
    expect(await user.attempt('PROVIDER_A', account, options)).toMatchObject(failed('MISSING_PERMISSION'));
  });

  test('D attempt resultCode: ACCOUNT_MISMATCH when a reconnect returns another account', async ({ user }) => {
    const reconnectConnectionId = await user.connect('PROVIDER_B', nightOf(user));
    const before = await user.connection(reconnectConnectionId);
    const options = { reconnectConnectionId };
    expect(await user.attempt('PROVIDER_B', booksOf(user), options)).toMatchObject(failed('ACCOUNT_MISMATCH'));
    await until(async () => user.liveGrants(booksOf(user)).length === 0);
    expect(await user.connection(reconnectConnectionId)).toEqual(before);
    expect((await user.ask('connections')).items).toHaveLength(1);
  });

  test('D attempt resultCode: EXCHANGE_FAILED when the platform refuses the code', async ({ user }) => {
    const session = await user.newAttempt('PROVIDER_B');
    const callBack = await user.consent(session, nightOf(user), ALL);
    expect((await callBack((url) => url.searchParams.set('code', 'another'))).status).toBe(303);
    expect(await user.finished(session.id)).toMatchObject(failed('EXCHANGE_FAILED'));
  });

  test('D attempt resultCode + 2 field rule 14: EXCHANGE_FAILED when the answer is lost, and the person must remove the app', async ({
    user,
    service,
  }) => {
    service.control.addFault({ provider: 'PROVIDER_B', route: 'token', what: { kind: 'answerLost' } });
    const lost = { ...failed('EXCHANGE_FAILED'), creatorAction: 'REMOVE_APP_AT_PROVIDER' };
    expect(await user.attempt('PROVIDER_B', nightOf(user))).toMatchObject(lost);
    expect(service.control.calls({ route: 'token' }).filter(({ fault }) => fault !== null)).toHaveLength(1);
  });

  test('D attempt resultCode: PROVIDER_UNAVAILABLE if it is down until the deadline', async ({ user, service }) => {
    trouble(service, 'token', { kind: 'status', status: 503, retryAfterSeconds: 601 });
    expect(await user.attempt('PROVIDER_B', nightOf(user))).toMatchObject(failed('PROVIDER_UNAVAILABLE'));
  });

  /** Refusals as the platforms word them, and their meaning for the caller. */
  const REFUSALS: readonly (readonly [ProviderName, string, string, string])[] = [
    ['PROVIDER_A', 'error=access_denied', 'DENIED', 'ACCESS_DENIED'],
    ['PROVIDER_A', 'error=admin_policy_enforced', 'FAILED', 'CLIENT_REFUSED'],
    ['PROVIDER_A', 'error=org_internal', 'FAILED', 'CLIENT_REFUSED'],
    ['PROVIDER_A', 'error=temporarily_unavailable', 'FAILED', 'PROVIDER_UNAVAILABLE'],
    ['PROVIDER_B', 'errCode=-2&error_type=access_denied', 'DENIED', 'ACCESS_DENIED'],
    ['PROVIDER_B', 'errCode=10006&error_type=redirect_uri', 'FAILED', 'CLIENT_REFUSED'],
    ['PROVIDER_B', 'error=unauthorized_client', 'FAILED', 'CLIENT_REFUSED'],
    ['PROVIDER_C', 'error=access_denied&error_reason=user_denied&error_code=200', 'DENIED', 'ACCESS_DENIED'],
    ['PROVIDER_C', 'error_code=1349245&error_message=No+invitation+of+Nora', 'FAILED', 'CLIENT_REFUSED'],
    ['PROVIDER_C', 'error_code=2&error_message=Service+unavailable', 'FAILED', 'PROVIDER_UNAVAILABLE'],
  ];
  test.for(REFUSALS)(
    'D attempt resultCode: %s answers the authorization request with %s: %s, %s at once',
    async ([provider, form, status, resultCode], { user, service: { sql } }) => {
      const session = await user.newAttempt(provider);
      const callBack = await user.consent(session, null, []);
      const refuse = (url: URL) => {
        for (const name of [...url.searchParams.keys()]) if (!/^(state|iss)$/.test(name)) url.searchParams.delete(name);
        for (const [name, value] of new URLSearchParams(form)) url.searchParams.set(name, value);
      };
      expect((await callBack(refuse)).status).toBe(303);
      const wanted = { status, resultCode, connectionId: null, creatorAction: null };
      expect(await user.result(session.id)).toMatchObject(wanted);
      // Operators see why, and no text that may name a person.
      const kept = await sql`select text from unknown_answer where provider = ${provider}`;
      if (resultCode === 'CLIENT_REFUSED') expect(kept.length).toBeGreaterThan(0);
      expect(JSON.stringify(kept)).not.toContain('Nora');
    },
  );

  test('D attempt resultCode: CLIENT_REFUSED when the platform refuses our secret', async ({ user, service }) => {
    trouble(service, 'token', {
      kind: 'answer',
      status: 401,
      body: { error: 'invalid_client', error_description: 'no' },
    });
    expect(await user.attempt('PROVIDER_B', nightOf(user))).toMatchObject(failed('CLIENT_REFUSED'));
  });

  test('D attempt resultCode: ACCOUNT_UNUSABLE when the platform does not serve the account after the exchange, and the person must remove the app', async ({
    user,
    service: { control },
  }) => {
    const account = user.account('PROVIDER_C', /^Creator account/);
    control.changeSettings({ c: { accountsNotServed: [account] } });
    expect(await user.attempt('PROVIDER_C', account)).toMatchObject({
      ...failed('ACCOUNT_UNUSABLE'),
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
    });
    control.changeSettings({ c: { accountsNotServed: [] } });
  });

  /** A change that ends attempts, and the change back. */
  const CHANGES = [
    ['REGISTRATION_PAUSED', pause, resume],
    [
      'POLICY_CHANGED',
      (user: User) => allow(user, 'PROFILE'),
      (user: User) => allow(user, 'PROFILE, CONTENT_LIST, CONTENT_LOOKUP, CONTENT_METRICS'),
    ],
  ] as const;
  for (const [resultCode, apply, revert] of CHANGES) {
    test(`D attempt resultCode: ${resultCode} when that happens before the launch`, async ({ user, service }) => {
      const session = await user.newAttempt('PROVIDER_B');
      await service.operate(apply(user));
      expect((await user.open(session)).status).toBeGreaterThanOrEqual(400);
      expect(await user.result(session.id)).toMatchObject(failed(resultCode));
      await service.operate(revert(user));
      expect((await user.launch('connect', session.launchToken)).status).toBe(409);
      expect(await user.result(session.id)).toMatchObject(failed(resultCode));
    });

    test(`D attempt resultCode: ${resultCode} when that happens during the exchange, and the grant is revoked`, async ({
      user,
      service,
    }) => {
      const { session, end } = await exchanging(user, service);
      await service.operate(apply(user));
      end();
      expect(await user.finished(session.id)).toMatchObject(failed(resultCode));
      await until(async () => user.liveGrants(nightOf(user)).length === 0);
      expect((await user.ask('connections')).items).toEqual([]);
    });
  }

  test('D attempt resultCode + 4 createConnectSession held: ACCOUNT_DISCONNECTING at launch and at completion until the revoke there has settled', async ({
    user,
    service,
  }) => {
    const connectionId = await user.connect('PROVIDER_B', nightOf(user));
    const [early, late] = [await user.newAttempt('PROVIDER_B'), await user.newAttempt('PROVIDER_B')];
    const callBack = await user.consent(late, booksOf(user), ALL);
    const end = trouble(service, 'revoke');
    // PROVIDER_C revokes one grant alone, so it holds nothing.
    await seedConnection(service.sql, user.seeded, {
      scope: user.scope,
      provider: 'PROVIDER_C',
      status: 'DISCONNECTED',
    });
    const { revokeJobId } = await user.ask('disconnectConnection', { connectionId });
    expect((await user.open(early)).status).toBeGreaterThanOrEqual(400);
    expect(await user.result(early.id)).toMatchObject(failed('ACCOUNT_DISCONNECTING'));
    expect((await callBack()).status).toBe(303);
    expect(await user.finished(late.id)).toMatchObject(failed('ACCOUNT_DISCONNECTING'));
    expect(await outcomeOf(user.newAttempt('PROVIDER_B'))).toBe('FORBIDDEN');
    expect(await outcomeOf(user.newAttempt('PROVIDER_C'))).toBe('answered');
    end();
    await user.pausing(connectionId, revokeJobId);
    await service.retryNow(disconnectWorkflow(connectionId)).catch(() => undefined); // The workflow may have ended meanwhile.
    expect(await user.ended(connectionId, revokeJobId)).toMatchObject({ status: 'SUCCEEDED' });
    await until(async () => (await outcomeOf(user.newAttempt('PROVIDER_B'))) === 'answered');
  });

  const canceled = { ...failed('CANCELED'), status: 'CANCELED' };

  test('D attempt canceled: an operator can cancel in every unfinished status', async ({ user, service }) => {
    const [created, authorizing] = [await user.newAttempt('PROVIDER_B'), await user.newAttempt('PROVIDER_B')];
    const callBack = await user.consent(authorizing, nightOf(user), ALL);
    const { session, end } = await exchanging(user, service);
    for (const { id } of [created, authorizing, session]) {
      await service.operate(`cancelAttempt(id: "${id}")`);
      expect(await user.result(id)).toMatchObject(canceled);
    }
    end();
    await callBack();
    expect((await user.launch('connect', created.launchToken)).status).toBe(409);
    await until(async () => user.liveGrants(nightOf(user)).length === 0);
    for (const { id } of [created, authorizing, session]) expect(await user.result(id)).toMatchObject(canceled);
    expect((await user.ask('connections')).items).toEqual([]);
  });

  test('D attempt canceled + D disconnect cancels: a disconnect cancels the unfinished attempts to reconnect its connection, and no others', async ({
    user,
    service,
  }) => {
    const reconnectConnectionId = await user.connect('PROVIDER_C', user.account('PROVIDER_C', /^Creator account/));
    const options = { reconnectConnectionId };
    const [created, opened] = [
      await user.newAttempt('PROVIDER_C', options),
      await user.newAttempt('PROVIDER_C', options),
    ];
    const callBack = await user.consent(opened, user.account('PROVIDER_C', /^Creator account/), PERMISSIONS.PROVIDER_C);
    const other = await user.newAttempt('PROVIDER_C');
    await user.ask('disconnectConnection', { connectionId: reconnectConnectionId });
    for (const { id } of [created, opened]) expect(await user.result(id)).toMatchObject(canceled);
    await callBack();
    expect(await user.result(opened.id)).toMatchObject(canceled);
    expect(await user.result(other.id)).toMatchObject({ status: 'CREATED' });
    expect(service.control.calls({ provider: 'PROVIDER_C', route: 'token' })).toHaveLength(1);
  });

  test('D attempt canceled + 2 field rule 1 + D same account: a reconnect keeps the connection', async ({ user }) => {
    const reconnectConnectionId = await user.connect('PROVIDER_B', nightOf(user));
    const older = await user.newAttempt('PROVIDER_B', { reconnectConnectionId });
    const elsewhere = await user.newAttempt('PROVIDER_B');
    const again = await user.attempt('PROVIDER_B', nightOf(user), { reconnectConnectionId });
    expect(again).toMatchObject({ status: 'COMPLETED', connectionId: reconnectConnectionId });
    expect(await user.result(older.id)).toMatchObject(canceled);
    expect(await user.result(elsewhere.id)).toMatchObject({ status: 'CREATED' });
    const anew = await user.attempt('PROVIDER_B', nightOf(user));
    expect(anew).toMatchObject({ status: 'COMPLETED', connectionId: reconnectConnectionId });
    expect((await user.ask('connections')).items).toMatchObject([{ id: reconnectConnectionId, status: 'CONNECTED' }]);
    const stranger = await user.attempt('PROVIDER_B', nightOf(user), { capabilities: ['PROFILE'] });
    expect((await user.connection(stranger.connectionId)).capabilities).toHaveLength(1);
  });
});

describe('after the end', () => {
  for (const [status, come] of Object.entries(WAYS).filter(([name]) => !UNFINISHED.includes(name))) {
    test(`D transitions: a ${status} attempt refuses launch, callback and cancel, and does not change`, async ({
      user,
      service,
    }) => {
      const session = await come(user, service);
      const ended = await user.finished(session.id);
      expect(ended.status).toBe(status);
      expect((await user.launch('connect', session.launchToken)).status).toBe(409);
      expect(await outcomeOf(service.operate(`cancelAttempt(id: "${session.id}")`))).toBe('BAD_USER_INPUT');
      await service.at(Date.parse(session.expiresAt) + 5 * MINUTE);
      await service.sweep('reconcile');
      expect(await user.result(session.id)).toEqual(ended);
    });
  }

  test('D transitions: one callback is accepted; any further one changes nothing', async ({ user, service }) => {
    const session = await user.newAttempt('PROVIDER_B');
    const callBack = await user.consent(session, nightOf(user), ALL);
    const before = service.control.calls({ route: 'token' }).length;
    await callBack();
    const completed = await user.finished(session.id);
    for (const change of [(_: URL) => {}, (url: URL) => url.searchParams.set('code', 'another')]) {
      expect((await callBack(change)).status).toBe(303);
      expect(await user.result(session.id)).toEqual(completed);
    }
    expect(service.control.calls({ route: 'token' })).toHaveLength(before + 1);
  });
});

test('8 unfinished attempts + 7 code RATE_LIMITED: a subject has at most 5 at a provider; every end frees one', async ({
  user,
  service,
}) => {
  const sessions: Answer[] = [];
  for (let n = 0; n < 5; n += 1) sessions.push(await user.newAttempt('PROVIDER_B'));
  const [denied, completed, canceled, launched] = sessions as [Answer, Answer, Answer, Answer];
  const full = async () => expect(await outcomeOf(user.newAttempt('PROVIDER_B'))).toBe('RATE_LIMITED');
  await full();
  await user.open(launched);
  await full();
  await user.deny(await user.open(denied));
  sessions.push(await user.newAttempt('PROVIDER_B'));
  await full();
  await (await user.consent(completed, emptyOf(user), ALL))();
  await user.finished(completed.id);
  await user.newAttempt('PROVIDER_B');
  await full();
  await service.operate(`cancelAttempt(id: "${canceled.id}")`);
  const last = await user.newAttempt('PROVIDER_B');
  await full();
  expect(await outcomeOf(user.newAttempt('PROVIDER_A'))).toBe('answered');
  expect(await outcomeOf((await service.newUser(user)).newAttempt('PROVIDER_B'))).toBe('answered');
  await service.at(Date.parse(launched.expiresAt) - 1);
  expect(await refusalOf(user.newAttempt('PROVIDER_B'))).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 1,
  });
  await service.at(Date.parse(launched.expiresAt));
  expect(await outcomeOf(user.newAttempt('PROVIDER_B'))).toBe('answered');
  expect(await user.result(last.id)).toMatchObject({ status: 'CREATED' });
});
