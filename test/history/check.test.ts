import { describe, expect, test } from 'vitest';
import { check, PROMISES, type Rule } from './check.ts';
import type { Run } from './run.ts';
import { EXCHANGE, EXPIRED, grant, item, REFUSED, REVOKE, rulesOf, type Story, story, TOLD } from './story.ts';

const POSTS = [item('p1'), item('p2')];
const ROWAN = { value: { status: 'COMPLETED', idpSub: 'rowan' } };
const ALIVE = { grants: [grant({ isUsable: true })] };
const connected = () => story().connect();
const gone = () => connected().disconnect();
const left = () => connected().leave();

test('an honest run gets no objection', () => {
  const honest = connected().scan().read(POSTS).disconnect().signIn(ROWAN, REFUSED('NOT_FOUND'));
  expect(check(honest.with())).toEqual([]);
});

/** Each breaks one promise. */
const LIES: Readonly<Record<Rule, Readonly<Record<string, Story | Run>>>> = {
  'clear answers': {
    'a refusal with a code that the operation does not have': connected().call(
      'syncJob',
      { id: 'j1' },
      REFUSED('FORBIDDEN'),
    ),
    'a request that is not answered after the repair': connected()
      .phase('settled')
      .call('connectSessionResult', { id: 'a1' }, 'lost'),
    'a request that fails after the repair': connected()
      .phase('settled')
      .call('connectSessionResult', { id: 'a1' }, REFUSED('UPSTREAM_UNAVAILABLE')),
  },
  'one end': {
    'an attempt that never ends': story().created().minutes(11).result('EXCHANGING'),
    'an attempt that expires though its person came back': story().expire(),
    'a sign-in that expires though its person came back': story()
      .call('createIdpIdentitySession', { input: {} }, { value: { id: 's1' } })
      .add({ type: 'browser', session: 's1', step: 'returned' })
      .phase('healed')
      .call('redeemIdpIdentityResult', { id: 's1' }, { value: { status: 'EXPIRED', idpSub: null } })
      .event('identity_session.finished', { sessionId: 's1', status: 'EXPIRED', connectionId: null }),
    'an attempt that no read finds': story().created().call('connectSessionResult', { id: 'a1' }, REFUSED('NOT_FOUND')),
    'a connection without consent': story().created().completed(),
    'a job that fails for a reason of ours': connected().request('j1', {}, 'FAILED', { errorCode: 'INTERNAL' }),
    'an erase that fails': gone().job('e', 'FAILED'),
    'an erasure that never ends': gone().add({ type: 'erasure', isComplete: false }),
    'a result that is redeemed twice': connected().signIn(ROWAN, ROWAN),
    'a result that is gone unread': connected().signIn(REFUSED('NOT_FOUND')),
    "another person's result": connected().signIn({ value: { status: 'COMPLETED', idpSub: 'noor' } }),
    'a connection that stays suspended': connected().listed('SUSPENDED'),
    'a reconnect that nothing explains': connected().listed('RECONNECT_REQUIRED'),
    'a reconnect after a token that could be renewed has expired': connected()
      .platform('accessExpired')
      .listed('RECONNECT_REQUIRED', 'PROVIDER_A'),
  },
  'final stays final': {
    'an end that changes': connected().result('FAILED'),
    'a job that comes back': connected()
      .scan()
      .call('syncJob', { connectionId: 'c1', id: 'j1' }, REFUSED('NOT_FOUND'))
      .job('j1', 'SUCCEEDED'),
    'a connection that comes back': gone().connection({ value: { status: 'DISCONNECTED' } }),
    'a connection that is readable after its disconnect': left().connection({ value: { status: 'CONNECTED' } }),
    'posts that are readable after the disconnect': left().call(
      'content',
      { connectionId: 'c1' },
      { value: { items: [] } },
    ),
    'a connection that is readable after the receipt of its erase': left()
      .job('e', 'SUCCEEDED')
      .connection({ value: { status: 'DELETING' } }),
  },
  'no grant left': {
    'a grant that outlives its revoke': gone().with(ALIVE),
    'a grant beside the one that the service keeps': connected()
      .listed('CONNECTED')
      .with({ grants: [grant({ isUsable: true, isKept: true }), grant({ isUsable: true, isKept: false })] }),
    'a grant of which only the person of another account was told': gone()
      .consented('a2', 'y')
      .result('FAILED', { resultCode: 'EXCHANGE_FAILED', ...TOLD }, 'a2')
      .with(ALIVE),
    'a grant that a retried revoke should have ended': connected()
      .disconnect({ ...TOLD, status: 'FAILED' })
      .operator('retryJobs')
      .job('r', 'SUCCEEDED')
      .with(ALIVE),
    'a grant of a failed attempt that does not say so': story()
      .consented()
      .result('FAILED', { resultCode: 'EXCHANGE_FAILED' })
      .with(ALIVE),
  },
  posts: {
    'a post that is missing from a page called complete after any scan': connected().read([item('p1')]),
    'a post that is lost': connected()
      .scan()
      .read([item('p1')]),
    'a post that is doubled': connected()
      .scan()
      .read([...POSTS, item('p1')]),
    'posts out of order': connected()
      .scan()
      .read([{ ...item('p1'), publishedAt: '2030-01-02T00:00:00.000Z' }, item('p2')]),
    "another account's post": connected()
      .scan()
      .read([...POSTS, item('p9')]),
    'a stale post': connected().platform('edited', { post: 'p1', views: '9' }).scan().read(POSTS),
    'a scanned window that is not complete': connected().scan().read(POSTS, false),
  },
  effects: {
    'a revoke without a request': connected().with({ calls: [EXCHANGE, REVOKE] }),
    'a code that is sent twice': gone().with({ calls: [EXCHANGE, EXCHANGE] }),
    'a call that breaks a rule of the platform': gone().with({
      calls: [{ ...EXCHANGE, violations: ['unknown form field x'] }],
    }),
  },
  events: {
    'an end that the app is not told': connected().request().job('j1', 'SUCCEEDED'),
    'an end that the app is told otherwise': connected().attemptEvent('FAILED'),
    'an end that the app is told twice': connected().attemptEvent('COMPLETED'),
    'an end in a run whose app is told nothing at all': story().created().result('EXPIRED', EXPIRED),
    'two events in one place': connected().event('connection.connected', { connectionId: 'c1', sequence: 1 }),
    'a state of a connection that its app is not told': connected()
      .event('connection.connected', { connectionId: 'c1', sequence: 2, status: 'CONNECTED' })
      .add({ type: 'state', connectionId: 'c1', status: 'CONNECTED' })
      .add({ type: 'state', connectionId: 'c1', status: 'SUSPENDED' }),
  },
  erased: {
    'a trace of the erased': gone().with({}, { traces: [{ flow: 'flow-1', where: 'outbox (x)' }] }),
    'a connection that is listed after its person was erased': connected().operator('eraseSubject').listed('CONNECTED'),
  },
  'nothing left open': { 'a job that is left': gone().with({}, { open: ['1 outbox entries'] }) },
  'no crash': { 'a process that crashed': gone().with({}, { crashes: ['api-1'] }) },
};

describe.each(Object.keys(PROMISES) as Rule[])('%s: the checker objects to', (rule) => {
  test.each(Object.entries(LIES[rule]))('%s', (_what, lie) => {
    expect(rulesOf('with' in lie ? lie.with() : lie)).toContain(rule);
  });
});
