import { describe, expect, test } from 'vitest';
import { check, type Run } from './checker.ts';
import type { Entry, Note } from './history.ts';

const WINDOW = { publishedAfter: '2030-01-01T00:00:00.000Z', publishedBefore: '2030-01-08T00:00:00.000Z' };
const PUBLISHED = Date.parse('2030-01-03T00:00:00.000Z');
const item = (id: string, views = '7') => ({
  id,
  publishedAt: '2030-01-03T00:00:00.000Z',
  availability: 'AVAILABLE',
  views,
});
const job = (id: string, status: string, more: object = {}) => ({
  id,
  status,
  errorCode: null,
  creatorAction: null,
  resultProviderContentId: null,
  continuationCursor: null,
  ...more,
});
const attempt = (status: string, more: object = {}) => ({
  id: 'a1',
  status,
  resultCode: null,
  connectionId: null,
  creatorAction: null,
  ...more,
});

/** An honest run: a connect, a scan that reads two posts, a sign-in, a disconnect, and an event for each end. */
class Story {
  readonly entries: Entry[] = [];
  #calls = 0;

  add(note: Note, flow = 'flow-1'): this {
    this.entries.push({ at: this.entries.length, flow, ...note } as Entry);
    return this;
  }

  call(field: string, variables: object, end: { value: object } | { code: string } | 'lost'): this {
    const call = this.#calls++;
    this.add({ type: 'asked', call, field, variables } as Note);
    if (end === 'lost') return this.add({ type: 'lost', call, field, reason: 'TimeoutError' } as Note);
    return this.add(
      ('value' in end
        ? { type: 'answered', call, field, value: end.value }
        : { type: 'refused', call, field, code: end.code }) as Note,
    );
  }

  event(event: string, data: object): this {
    return this.add({ type: 'event', id: `event-${this.entries.length}`, event, data } as Note, 'run');
  }

  read(items: readonly object[], complete = true): this {
    const { length: from } = this.entries;
    return this.add({ type: 'read', connectionId: 'c1', account: 'x', window: WINDOW, from, complete, items } as Note);
  }
}

const REMOVE = 'REMOVE_APP_AT_PROVIDER';
const COMPLETED = { value: attempt('COMPLETED', { connectionId: 'c1' }) };
const connect = (story: Story) =>
  story
    .call('createConnectSession', { input: {} }, { value: { id: 'a1' } })
    .add({ type: 'browser', session: 'a1', step: 'allowed', account: 'x' })
    .call('connectSessionResult', { id: 'a1' }, { value: attempt('EXCHANGING') })
    .call('connectSessionResult', { id: 'a1' }, COMPLETED)
    .event('connect_session.finished', { sessionId: 'a1', status: 'COMPLETED', connectionId: 'c1', sequence: 1 });
const scan = (story: Story, id = 'j1') =>
  story
    .call('requestRefresh', { connectionId: 'c1', window: { ...WINDOW, maxItems: 9 } }, { value: job(id, 'QUEUED') })
    .call('syncJob', { connectionId: 'c1', id }, { value: job(id, 'SUCCEEDED', { completeForWindow: true }) })
    .event('job.finished', { jobId: id, status: 'SUCCEEDED', connectionId: 'c1', sequence: `${id}` });
const disconnect = (story: Story, revoke: object = {}) =>
  story
    .call(
      'disconnectConnection',
      { connectionId: 'c1' },
      { value: { connectionId: 'c1', revokeJobId: 'r', eraseJobId: 'e' } },
    )
    .call('syncJob', { connectionId: 'c1', id: 'r' }, { value: job('r', 'SUCCEEDED', revoke) })
    .call('syncJob', { connectionId: 'c1', id: 'e' }, { value: job('e', 'SUCCEEDED') })
    .call('connection', { id: 'c1' }, { code: 'NOT_FOUND' })
    .event('receipt.settled', { jobId: 'r', status: 'SUCCEEDED', connectionId: 'c1', sequence: 8 })
    .event('receipt.settled', { jobId: 'e', status: 'SUCCEEDED', connectionId: 'c1', sequence: 9 });
const deleted = () => connect(story()).add({ type: 'platform', change: 'deleted', account: 'x', post: 'p1' });
const signIn = (story: Story, ...results: ({ value: object } | { code: string } | 'lost')[]) => {
  story
    .call('createIdpIdentitySession', { input: {} }, { value: { id: 's1' } })
    .add({ type: 'browser', session: 's1', step: 'allowed', account: 'rowan' });
  for (const result of results) story.call('redeemIdpIdentityResult', { id: 's1' }, result);
  return story.event('identity_session.finished', { sessionId: 's1', status: 'COMPLETED', connectionId: null });
};
const ROWAN = { value: { status: 'COMPLETED', idpSub: 'rowan' } };
const lookUp = (of: Story, found: string) =>
  of
    .call('requestContentLookup', { connectionId: 'c1' }, { value: job('l1', 'QUEUED') })
    .add({ type: 'sought', job: 'l1', post: 'p1' })
    .call(
      'syncJob',
      { connectionId: 'c1', id: 'l1' },
      { value: job('l1', 'SUCCEEDED', { resultProviderContentId: found }) },
    )
    .event('job.finished', { jobId: 'l1', status: 'SUCCEEDED', connectionId: 'c1', sequence: 2 });
const HEALED = { type: 'phase', phase: 'healed' } as const;
const moveClock = (of: Story, minutes: number) =>
  minutes === 0 ? of : of.add({ type: 'clock', ms: minutes * 60_000 }, 'run');
/** An attempt that expires. The clock moves, by minutes, before its person comes back and after the repair. */
const expire = (of: Story, { before = 0, after = 0 } = {}) => {
  moveClock(of.call('createConnectSession', { input: {} }, { value: { id: 'a1' } }), before)
    .add({ type: 'browser', session: 'a1', step: 'returned' })
    .add(HEALED);
  return moveClock(of, after)
    .call('connectSessionResult', { id: 'a1' }, { value: attempt('EXPIRED', { resultCode: 'EXPIRED' }) })
    .event('connect_session.finished', { sessionId: 'a1', status: 'EXPIRED' });
};
const post = (id: string, more: object = {}) => ({
  id,
  account: 'x',
  publishedAt: PUBLISHED,
  isPublic: true,
  views: '7',
  ...more,
});
const grant = (more: object = {}) => ({ account: 'x', provider: 'PROVIDER_B', isUsable: false, ...more });
const exchange = { account: 'x', route: 'token', grantType: 'authorization_code', fault: null, violations: [] };

const run = (
  { entries }: Story,
  platform: Partial<Run['platform']> = {},
  remains: Partial<Run['remains']> = {},
): Run => ({
  entries,
  platform: { grants: [grant()], posts: [post('p1'), post('p2')], calls: [exchange], ...platform },
  remains: { open: [], traces: [], crashes: [], ...remains },
});
const wantsReconnect = (provider: string) => ({
  id: 'c1',
  provider,
  providerAccountId: 'x',
  status: 'RECONNECT_REQUIRED',
});
const story = () => new Story();
const rulesOf = (of: Run) => [...new Set(check(of).map(({ rule }) => rule))];

test('an honest run gets no objection', () => {
  const honest = signIn(disconnect(scan(connect(story())).read([item('p1'), item('p2')])), ROWAN, {
    code: 'NOT_FOUND',
  });
  expect(check(run(honest))).toEqual([]);
});

describe('the checker objects to', () => {
  const whole = () => disconnect(connect(story()));
  const LIES: readonly (readonly [what: string, rule: string, Run])[] = [
    [
      'an attempt that never ends',
      'one end',
      run(
        story()
          .call('createConnectSession', { input: {} }, { value: { id: 'a1' } })
          .call('connectSessionResult', { id: 'a1' }, { value: attempt('EXCHANGING') }),
      ),
    ],
    ['an attempt that expires though its person came back', 'one end', run(expire(story()))],
    [
      'a sign-in that expires though its person came back',
      'one end',
      run(
        story()
          .call('createIdpIdentitySession', { input: {} }, { value: { id: 's1' } })
          .add({ type: 'browser', session: 's1', step: 'returned' })
          .add(HEALED)
          .call('redeemIdpIdentityResult', { id: 's1' }, { value: { status: 'EXPIRED', idpSub: null } })
          .event('identity_session.finished', { sessionId: 's1', status: 'EXPIRED', connectionId: null }),
      ),
    ],
    [
      'an attempt that nobody can read',
      'one end',
      run(
        story()
          .call('createConnectSession', { input: {} }, { value: { id: 'a1' } })
          .call('connectSessionResult', { id: 'a1' }, { code: 'NOT_FOUND' }),
      ),
    ],
    [
      'a connection without consent',
      'one end',
      run(
        story()
          .call('createConnectSession', { input: {} }, { value: { id: 'a1' } })
          .call('connectSessionResult', { id: 'a1' }, COMPLETED),
      ),
    ],
    [
      'a job that fails for a reason of ours',
      'one end',
      run(
        connect(story()).call(
          'requestRefresh',
          { connectionId: 'c1' },
          {
            value: job('j1', 'FAILED', { errorCode: 'INTERNAL' }),
          },
        ),
      ),
    ],
    ['an erase that fails', 'one end', run(whole().call('syncJob', { id: 'e' }, { value: job('e', 'FAILED') }))],
    ['a result that is redeemed twice', 'one end', run(signIn(connect(story()), ROWAN, ROWAN))],
    ['a result that is gone unread', 'one end', run(signIn(connect(story()), { code: 'NOT_FOUND' }))],
    [
      "another person's result",
      'one end',
      run(signIn(connect(story()), { value: { status: 'COMPLETED', idpSub: 'noor' } })),
    ],
    [
      'a connection that stays suspended',
      'one end',
      run(
        connect(story()).call(
          'connections',
          {},
          {
            value: { items: [{ id: 'c1', providerAccountId: 'x', status: 'SUSPENDED' }] },
          },
        ),
      ),
    ],
    [
      'a reconnect that nothing explains',
      'one end',
      run(
        connect(story()).call(
          'connections',
          {},
          {
            value: { items: [wantsReconnect('PROVIDER_B')] },
          },
        ),
      ),
    ],
    [
      'a reconnect after a token that could be renewed has expired',
      'one end',
      run(
        connect(story())
          .add({ type: 'platform', change: 'accessExpired', account: 'x' })
          .call('connections', {}, { value: { items: [wantsReconnect('PROVIDER_A')] } }),
      ),
    ],
    [
      'an end that changes',
      'final stays final',
      run(connect(story()).call('connectSessionResult', { id: 'a1' }, { value: attempt('FAILED') })),
    ],
    [
      'a connection that comes back',
      'final stays final',
      run(whole().call('connection', { id: 'c1' }, { value: { status: 'DISCONNECTED' } })),
    ],
    [
      'a connection that is readable after its disconnect',
      'final stays final',
      run(
        connect(story())
          .call('disconnectConnection', {}, { value: { connectionId: 'c1', revokeJobId: 'r', eraseJobId: 'e' } })
          .call('connection', { id: 'c1' }, { value: { status: 'CONNECTED' } }),
      ),
    ],
    ['a grant that outlives its revoke', 'no grant left', run(whole(), { grants: [grant({ isUsable: true })] })],
    [
      'a grant of which only the person of another account was told',
      'no grant left',
      run(
        whole()
          .call('createConnectSession', { input: {} }, { value: { id: 'a2' } })
          .add({ type: 'browser', session: 'a2', step: 'allowed', account: 'y' })
          .call(
            'connectSessionResult',
            { id: 'a2' },
            { value: { ...attempt('FAILED', { resultCode: 'EXCHANGE_FAILED', creatorAction: REMOVE }), id: 'a2' } },
          ),
        { grants: [grant({ isUsable: true })] },
      ),
    ],
    [
      'a grant that a retried revoke should have ended',
      'no grant left',
      run(
        disconnect(connect(story()), { creatorAction: REMOVE, status: 'FAILED' })
          .add({ type: 'operator', act: 'retryJobs', accepted: true })
          .call('syncJob', { connectionId: 'c1', id: 'r' }, { value: job('r', 'SUCCEEDED') }),
        { grants: [grant({ isUsable: true })] },
      ),
    ],
    [
      'a grant of a failed attempt that does not say so',
      'no grant left',
      run(
        story()
          .call('createConnectSession', { input: {} }, { value: { id: 'a1' } })
          .add({ type: 'browser', session: 'a1', step: 'allowed', account: 'x' })
          .call('connectSessionResult', { id: 'a1' }, { value: attempt('FAILED', { resultCode: 'EXCHANGE_FAILED' }) }),
        { grants: [grant({ isUsable: true })] },
      ),
    ],
    [
      'a refusal with a code that the operation does not have',
      'clear answers',
      run(connect(story()).call('syncJob', { id: 'j1' }, { code: 'FORBIDDEN' })),
    ],
    [
      'a request that is not answered after the repair',
      'clear answers',
      run(
        connect(story())
          .add({ type: 'phase', phase: 'settled' }, 'run')
          .call('connectSessionResult', { id: 'a1' }, 'lost'),
      ),
    ],
    [
      'a request that fails after the repair',
      'clear answers',
      run(
        connect(story())
          .add({ type: 'phase', phase: 'settled' }, 'run')
          .call('connectSessionResult', { id: 'a1' }, { code: 'UPSTREAM_UNAVAILABLE' }),
      ),
    ],
    [
      'a job that comes back',
      'final stays final',
      run(
        scan(connect(story()))
          .call('syncJob', { connectionId: 'c1', id: 'j1' }, { code: 'NOT_FOUND' })
          .call('syncJob', { connectionId: 'c1', id: 'j1' }, { value: job('j1', 'SUCCEEDED') }),
      ),
    ],
    [
      'posts that are readable after the disconnect',
      'final stays final',
      run(
        connect(story())
          .call('disconnectConnection', {}, { value: { connectionId: 'c1', revokeJobId: 'r', eraseJobId: 'e' } })
          .call('content', { connectionId: 'c1' }, { value: { items: [] } }),
      ),
    ],
    [
      'a connection that is readable after the receipt of its erase',
      'final stays final',
      run(
        connect(story())
          .call('disconnectConnection', {}, { value: { connectionId: 'c1', revokeJobId: 'r', eraseJobId: 'e' } })
          .call('syncJob', { connectionId: 'c1', id: 'e' }, { value: job('e', 'SUCCEEDED') })
          .call('connection', { id: 'c1' }, { value: { status: 'DELETING' } }),
      ),
    ],
    ['an erasure that never ends', 'one end', run(whole().add({ type: 'erasure', isComplete: false }))],
    [
      'a connection that is listed after its person was erased',
      'erased',
      run(
        connect(story())
          .add({ type: 'operator', act: 'eraseSubject', accepted: true })
          .call('connections', {}, { value: { items: [{ id: 'c1', providerAccountId: 'x', status: 'CONNECTED' }] } }),
      ),
    ],
    [
      'a post that is missing from a page called complete, whoever scanned it',
      'posts',
      run(connect(story()).read([item('p1')])),
    ],
    ['a lookup that finds another post', 'posts', run(lookUp(connect(story()), 'p2'))],
    [
      'metrics older than their refresh',
      'posts',
      run(
        connect(story())
          .add({ type: 'platform', change: 'edited', account: 'x', post: 'p1', views: '9' })
          .call('requestRefresh', { connectionId: 'c1', providerContentId: 'p1' }, { value: job('j1', 'QUEUED') })
          .add({ type: 'sought', job: 'j1', post: 'p1' })
          .call('syncJob', { connectionId: 'c1', id: 'j1' }, { value: job('j1', 'SUCCEEDED') })
          .call(
            'contentItem',
            { connectionId: 'c1', providerContentId: 'p1' },
            { value: { availability: 'AVAILABLE', metrics: [{ name: 'VIEWS', value: '7' }] } },
          ),
      ),
    ],
    [
      'a revoke that nobody asked for',
      'effects',
      run(connect(story()), { calls: [exchange, { ...exchange, route: 'revoke', grantType: null }] }),
    ],
    ['a post that is lost', 'posts', run(scan(connect(story())).read([item('p1')]))],
    ['a post that is doubled', 'posts', run(scan(connect(story())).read([item('p1'), item('p2'), item('p1')]))],
    ["another account's post", 'posts', run(scan(connect(story())).read([item('p1'), item('p2'), item('p9')]))],
    [
      'a stale post',
      'posts',
      run(
        scan(connect(story()).add({ type: 'platform', change: 'edited', account: 'x', post: 'p1', views: '9' })).read([
          item('p1', '7'),
          item('p2'),
        ]),
      ),
    ],
    [
      'a deleted post',
      'posts',
      run(scan(scan(deleted(), 'j1').add({ type: 'clock', ms: 61 * 60_000 }), 'j2').read([item('p1'), item('p2')])),
    ],
    [
      'a scanned window that is not complete',
      'posts',
      run(scan(connect(story())).read([item('p1'), item('p2')], false)),
    ],
    ['a code that is sent twice', 'effects', run(whole(), { calls: [exchange, exchange] })],
    [
      'a call that breaks a rule of the platform',
      'effects',
      run(whole(), { calls: [{ ...exchange, violations: ['unknown form field x'] }] }),
    ],
    [
      'an end that the app is not told',
      'events',
      run(
        connect(story())
          .call('requestRefresh', { connectionId: 'c1' }, { value: job('j1', 'QUEUED') })
          .call('syncJob', { id: 'j1' }, { value: job('j1', 'SUCCEEDED') }),
      ),
    ],
    [
      'an end that the app is told otherwise',
      'events',
      run(connect(story()).event('connect_session.finished', { sessionId: 'a1', status: 'FAILED' })),
    ],
    [
      'an end in a run whose app is told nothing at all',
      'events',
      run(
        story()
          .call('createConnectSession', { input: {} }, { value: { id: 'a1' } })
          .call('connectSessionResult', { id: 'a1' }, { value: attempt('EXPIRED', { resultCode: 'EXPIRED' }) }),
      ),
    ],
    [
      'two events in one place',
      'events',
      run(connect(story()).event('connection.connected', { connectionId: 'c1', sequence: 1 })),
    ],
    ['a trace of the erased', 'erased', run(whole(), {}, { traces: [{ flow: 'flow-1', where: 'outbox (x)' }] })],
    ['a job that is left', 'nothing left open', run(whole(), {}, { open: ['1 outbox entries'] })],
    ['a process that ended by itself', 'no crash', run(whole(), {}, { crashes: ['api-1'] })],
  ];

  test.each(LIES)('%s', (_what, rule, lie) => {
    expect(rulesOf(lie)).toContain(rule);
  });
});

describe('the checker accepts', () => {
  test.each([
    [
      'an EXPIRED attempt that later says what the person has to do',
      run(
        story()
          .call('createConnectSession', { input: {} }, { value: { id: 'a1' } })
          .add({ type: 'browser', session: 'a1', step: 'allowed', account: 'x' })
          .call('connectSessionResult', { id: 'a1' }, { value: attempt('EXPIRED', { resultCode: 'EXPIRED' }) })
          .call(
            'connectSessionResult',
            { id: 'a1' },
            { value: attempt('EXPIRED', { resultCode: 'EXPIRED', creatorAction: 'REMOVE_APP_AT_PROVIDER' }) },
          )
          .event('connect_session.finished', { sessionId: 'a1', status: 'EXPIRED' }),
        { grants: [grant({ isUsable: true })] },
      ),
    ],
    [
      'a grant of which the receipt says that it may be alive',
      run(disconnect(connect(story()), { creatorAction: 'REMOVE_APP_AT_PROVIDER' }), {
        grants: [grant({ isUsable: true })],
      }),
    ],
    [
      'a grant of an erased person of which the app was told by an event',
      run(
        connect(story())
          .add({ type: 'operator', act: 'eraseSubject', accepted: true })
          .call('connectSessionResult', { id: 'a1' }, { code: 'NOT_FOUND' })
          .event('receipt.settled', {
            jobId: 'r',
            status: 'FAILED',
            connectionId: 'c1',
            sequence: 7,
            creatorAction: REMOVE,
          }),
        { grants: [grant({ isUsable: true })] },
      ),
    ],
    [
      'an EXPIRED attempt of an erased person, of which an event says more than the last answer',
      run(
        story()
          .call('createConnectSession', { input: {} }, { value: { id: 'a1' } })
          .add({ type: 'browser', session: 'a1', step: 'allowed', account: 'x' })
          .call('connectSessionResult', { id: 'a1' }, { value: attempt('EXPIRED', { resultCode: 'EXPIRED' }) })
          .event('connect_session.finished', { sessionId: 'a1', status: 'EXPIRED', creatorAction: REMOVE })
          .add({ type: 'operator', act: 'eraseSubject', accepted: true })
          .call('connectSessionResult', { id: 'a1' }, { code: 'NOT_FOUND' }),
        { grants: [grant({ isUsable: true })] },
      ),
    ],
    ['an attempt that had expired before its person came back', run(expire(story(), { before: 11 }))],
    ['an attempt whose time was over soon after the repair', run(expire(story(), { before: 9 }))],
    ['an attempt whose deadline the clock passed after the repair', run(expire(story(), { after: 12 }))],
    ['a lookup that finds its post', run(lookUp(connect(story()), 'p1'))],
    [
      'the revoke of a grant whose attempt failed',
      run(
        story()
          .call('createConnectSession', { input: {} }, { value: { id: 'a1' } })
          .add({ type: 'browser', session: 'a1', step: 'allowed', account: 'x' })
          .call(
            'connectSessionResult',
            { id: 'a1' },
            { value: attempt('FAILED', { resultCode: 'PROVIDER_UNAVAILABLE' }) },
          )
          .event('connect_session.finished', { sessionId: 'a1', status: 'FAILED' }),
        { calls: [exchange, { ...exchange, route: 'revoke', grantType: null }] },
      ),
    ],
    [
      'a reconnect after a refresh, whose answer may have been lost',
      run(connect(story()).call('connections', {}, { value: { items: [wantsReconnect('PROVIDER_B')] } }), {
        calls: [exchange, { ...exchange, grantType: 'refresh_token' }],
      }),
    ],
    [
      'a reconnect after a token of PROVIDER_C has expired',
      run(
        connect(story())
          .add({ type: 'platform', change: 'accessExpired', account: 'x' })
          .call('connections', {}, { value: { items: [wantsReconnect('PROVIDER_C')] } }),
      ),
    ],
    [
      'a result that was redeemed by a request without an answer',
      run(signIn(connect(story()), 'lost', { code: 'NOT_FOUND' })),
    ],
    [
      'a deleted post that scans have missed for less than an hour',
      run(scan(scan(deleted(), 'j1').add({ type: 'clock', ms: 59 * 60_000 }), 'j2').read([item('p1'), item('p2')])),
    ],
    [
      'a post that was published after the scan was asked for',
      run(
        scan(connect(story()))
          .add({ type: 'platform', change: 'posted', account: 'x', post: 'p2' })
          .read([item('p1')]),
      ),
    ],
  ])('%s', (_what, honest) => {
    expect(check(honest)).toEqual([]);
  });
});
