import { describe } from 'vitest';
import { type Answer, refusalOf } from '../kit/graphql.ts';
import { lastDays } from '../kit/person.ts';
import { stackTest } from '../kit/stack.ts';
import { collectSecrets, readWritings } from './writings.ts';

const DAY_MS = 86_400_000;

/** Concurrent reads with one expired token. More requests at once would wait too long for each other on a busy machine. */
const READS = 8;

const test = stackTest({
  apis: 2,
  workers: 2,
  adjustments: { PROVIDER_B_CALLS_PER_SECOND: '1000' }, // Otherwise the limit would serialize the calls.
});

describe.concurrent('the whole path over HTTP', () => {
  test('PROVIDER_B: connects, scans, reads, refreshes a token once for many jobs, looks up and disconnects', async ({
    service,
    person,
    expect,
  }) => {
    const { control } = service.sandbox;
    const account = person.account('PROVIDER_B', /^250 posts/);
    const shown = (days: number) =>
      control
        .posts(account)
        .filter(({ publishedAt, isPublic }) => isPublic && (publishedAt ?? 0) >= Date.now() - days * DAY_MS)
        .map(({ id }) => id);

    const { connectionId } = await person.connect('PROVIDER_B', account);
    const connection = await person.synced(connectionId);
    expect(connection).toMatchObject({
      provider: 'PROVIDER_B',
      providerAccountId: account,
      status: 'CONNECTED',
      syncStatus: 'READY',
      profile: { providerAccountId: account, handle: 'harbour.kitchen.demo' },
    });
    expect(connection.capabilities.map((state: Answer) => state.availability)).toEqual(Array(4).fill('AVAILABLE'));

    const window = lastDays(80);
    const scan = await person.ask('requestRefresh', { connectionId, window });
    expect(await person.ended(connectionId, scan.id)).toMatchObject({ status: 'SUCCEEDED', errorCode: null });
    const posts = await person.posts(connectionId, window);
    expect(posts.map((post) => post.providerContentId)).toEqual(shown(80).slice(0, 100));
    const [{ providerContentId, canonicalUrl }] = posts;

    // The rotating token expires, and jobs on two workers need it at once.
    const refreshes = () =>
      control
        .calls({ provider: 'PROVIDER_B', route: 'token', account })
        .filter(({ parameters }) => parameters.grant_type === 'refresh_token').length;
    control.expireTokens(account, 'access');
    await service.database.sql`
      update account_grant set access_expires_at = business_now() where connection_id = ${connectionId}
    `;
    const asked = await Promise.all(
      posts
        .slice(0, READS)
        .map(({ providerContentId: id }) => person.ask('requestRefresh', { connectionId, providerContentId: id })),
    );
    expect(asked).toHaveLength(READS);
    for (const { id } of asked) expect(await person.ended(connectionId, id)).toMatchObject({ status: 'SUCCEEDED' });
    expect(refreshes()).toBe(1);

    const lookup = await person.ask('requestContentLookup', { connectionId, url: canonicalUrl });
    expect(await person.ended(connectionId, lookup.id)).toMatchObject({
      status: 'SUCCEEDED',
      resultProviderContentId: providerContentId,
    });

    const { revoke, erase } = await person.disconnect(connectionId);
    expect(revoke).toMatchObject({ status: 'SUCCEEDED', creatorAction: null, errorCode: null });
    expect(erase).toMatchObject({ status: 'SUCCEEDED', creatorAction: null, errorCode: null });
    expect((await refusalOf(person.connection(connectionId))).code).toBe('NOT_FOUND');
    expect(person.liveGrants(account)).toEqual([]);
    expect(control.calls({ route: 'revoke', account })).toHaveLength(1);
  });

  test.for([
    ['PROVIDER_A', null],
    ['PROVIDER_C', 'REMOVE_APP_AT_PROVIDER'],
  ] as const)('%s: connects, reads and disconnects', async ([provider, creatorAction], { person, expect }) => {
    const account = person.account(provider, /^250 posts/);
    const { status, connectionId } = await person.connect(provider, account);
    expect(status).toBe('COMPLETED');
    expect(await person.synced(connectionId)).toMatchObject({ syncStatus: 'READY', providerAccountId: account });
    expect((await person.posts(connectionId, lastDays(6))).length).toBeGreaterThan(0);
    const { revoke, erase } = await person.disconnect(connectionId);
    expect([revoke.status, revoke.creatorAction, erase.status]).toEqual(['SUCCEEDED', creatorAction, 'SUCCEEDED']);
    expect((await refusalOf(person.connection(connectionId))).code).toBe('NOT_FOUND');
  });

  test('signs a person in and returns the result once', async ({ service, person, expect }) => {
    const somebody = service.sandbox.control.people().find(({ note }) => note === 'E-mail address verified');
    const { sub, claims } = somebody ?? expect.fail('There is no such person.');
    const session = await person.createSignIn();
    const consent = await person.launch(session);
    const back = await person.agree(consent, sub, ['email', 'profile']);
    expect(back.url).toBe(`${service.app.identityReturnUrl}?ss_session_id=${session.id}`);
    const result = { status: 'COMPLETED', issuer: `${service.sandbox.url}/idp`, idpSub: sub, email: claims.email };
    expect(await person.redeem(session)).toMatchObject(result);
    expect((await refusalOf(person.redeem(session))).code).toBe('NOT_FOUND');
  });
});

describe('after all tests', () => {
  test('the platforms received no unknown or refused request', ({ service, expect }) => {
    const calls = service.sandbox.control.calls();
    expect(calls.length).toBeGreaterThan(50);
    expect(calls.flatMap(({ route, violations }) => violations.map((violation) => `${route}: ${violation}`))).toEqual(
      [],
    );
  });

  test('no history and no log contains a secret or personal data, except the planted ones', async ({
    service,
    people,
    expect,
  }) => {
    const secrets = collectSecrets(service, people);
    for (const what of ['access token', 'refresh token', 'code', 'code verifier', 'state', 'cookie', 'launch token']) {
      expect(secrets.count(what), `${what}s, one for each platform at least`).toBeGreaterThanOrEqual(3);
    }
    for (const what of ['nonce', 'result proof']) expect(secrets.count(what), what).toBe(1);
    const [person] = people;
    const planted = await service.temporalClient.workflow.start('planted', {
      taskQueue: 'nobody',
      workflowId: 'planted',
      args: [{ launchToken: person?.launchTokens[0] }],
      memo: { callback: `https://connect.example/?code=1&subject=${person?.scope.externalSubjectId}` },
      staticSummary: service.app.key,
    });
    await planted.terminate(`not for ${service.app.tenantKey}`);

    const writings = await readWritings(service);
    expect(writings.length).toBeGreaterThan(50);
    expect(secrets.findIn(writings)).toEqual([
      'api key in the description of planted',
      'api key in the history of planted',
      'launch token in the history of planted',
      'subject in the description of planted',
      'subject in the history of planted',
      'tenant in the history of planted',
    ]);
  });
});
