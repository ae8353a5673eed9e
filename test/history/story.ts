import { check, type Rule } from './check.ts';
import type { Entry, Note, Window } from './history.ts';
import type { Run } from './run.ts';
import { REMOVE } from './view.ts';

const WINDOW: Window = {
  publishedAfter: '2030-01-01T00:00:00.000Z',
  publishedBefore: '2030-01-08T00:00:00.000Z',
};
const PUBLISHED_AT = '2030-01-03T00:00:00.000Z';
export const REFUSED = (code: string) => ({ code });
export type End = { readonly value: object } | { readonly code: string } | 'lost';

/** A run by hand: one person, who connects the account x as the connection c1 by the attempt a1. */
export class Story {
  readonly entries: Entry[] = [];
  #calls = 0;

  add(note: Note, flow = 'flow-1'): this {
    this.entries.push({ at: this.entries.length, flow, ...note } as Entry);
    return this;
  }

  call(field: string, variables: object, end: End): this {
    const call = this.#calls++;
    this.add({ type: 'asked', call, field, variables } as Note);
    if (end === 'lost') return this.add({ type: 'lost', call, field, reason: 'TimeoutError' } as Note);
    return this.add({ type: 'value' in end ? 'answered' : 'refused', call, field, ...end } as Note);
  }

  event(event: string, data: object): this {
    return this.add({ type: 'event', id: `event-${this.entries.length}`, event, data } as Note, 'run');
  }

  operator(act: string): this {
    return this.add({ type: 'operator', act, accepted: true });
  }

  platform(change: string, more: object = {}): this {
    return this.add({ type: 'platform', change, account: 'x', ...more } as Note);
  }

  phase(phase: 'healed' | 'settled'): this {
    return this.add({ type: 'phase', phase }, 'run');
  }

  minutes(minutes: number): this {
    return this.add({ type: 'clock', ms: minutes * 60_000 }, 'run');
  }

  created(id = 'a1'): this {
    return this.call('createConnectSession', { input: {} }, { value: { id } });
  }

  consented(id = 'a1', account = 'x'): this {
    return this.created(id).add({ type: 'browser', session: id, step: 'allowed', account });
  }

  /** The app reads how an attempt is. */
  result(status: string, more: object = {}, id = 'a1'): this {
    const value = { id, status, resultCode: null, connectionId: null, creatorAction: null, ...more };
    return this.call('connectSessionResult', { id }, { value });
  }

  completed(): this {
    return this.result('COMPLETED', { connectionId: 'c1' });
  }

  attemptEvent(status: string, more: object = {}): this {
    return this.event('connect_session.finished', { sessionId: 'a1', status, ...more });
  }

  connect(): this {
    const told = { connectionId: 'c1', sequence: 1 };
    return this.consented().result('EXCHANGING').completed().attemptEvent('COMPLETED', told);
  }

  /** The app asks for a job about its connection. */
  request(id = 'j1', variables: object = {}, status = 'QUEUED', more: object = {}): this {
    return this.call('requestRefresh', { connectionId: 'c1', ...variables }, jobIs(id, status, more));
  }

  job(id: string, status: string, more: object = {}): this {
    return this.call('syncJob', { connectionId: 'c1', id }, jobIs(id, status, more));
  }

  jobEvent(id: string, sequence: number | string): this {
    const event = /^[re]$/.test(id) ? 'receipt.settled' : 'job.finished';
    return this.event(event, { jobId: id, status: 'SUCCEEDED', connectionId: 'c1', sequence });
  }

  scan(id = 'j1'): this {
    const found = { completeForWindow: true };
    return this.request(id, { window: WINDOW }).job(id, 'SUCCEEDED', found).jobEvent(id, id);
  }

  read(items: readonly object[], complete = true): this {
    const from = this.entries.length;
    return this.add({ type: 'read', connectionId: 'c1', account: 'x', window: WINDOW, from, complete, items } as Note);
  }

  leave(): this {
    const value = { connectionId: 'c1', revokeJobId: 'r', eraseJobId: 'e' };
    return this.call('disconnectConnection', { connectionId: 'c1' }, { value });
  }

  disconnect(revoke: object = {}): this {
    return this.leave()
      .job('r', 'SUCCEEDED', revoke)
      .job('e', 'SUCCEEDED')
      .call('connection', { id: 'c1' }, REFUSED('NOT_FOUND'))
      .jobEvent('r', 8)
      .jobEvent('e', 9);
  }

  connection(end: End): this {
    return this.call('connection', { id: 'c1' }, end);
  }

  /** The app lists the connection. */
  listed(status: string, provider = 'PROVIDER_B'): this {
    const items = [{ id: 'c1', provider, providerAccountId: 'x', status }];
    return this.call('connections', {}, { value: { items } });
  }

  signIn(...results: readonly End[]): this {
    this.call('createIdpIdentitySession', { input: {} }, { value: { id: 's1' } });
    this.add({ type: 'browser', session: 's1', step: 'allowed', account: 'rowan' });
    for (const result of results) this.call('redeemIdpIdentityResult', { id: 's1' }, result);
    return this.event('identity_session.finished', { sessionId: 's1', status: 'COMPLETED', connectionId: null });
  }

  /** An attempt that expires although its person came back. */
  expire(): this {
    return this.created()
      .add({ type: 'browser', session: 'a1', step: 'returned' })
      .phase('healed')
      .result('EXPIRED', EXPIRED)
      .attemptEvent('EXPIRED');
  }

  /** @returns the run, with what its platforms and its service have at the end */
  with(platform: Partial<Run['platform']> = {}, remains: Partial<Run['remains']> = {}): Run {
    const usual = { grants: [grant()], posts: [post('p1'), post('p2')], calls: [EXCHANGE] };
    return {
      entries: this.entries,
      platform: { ...usual, ...platform },
      remains: { open: [], traces: [], crashes: [], ...remains },
    };
  }
}

export const story = () => new Story();
export const EXPIRED = { resultCode: 'EXPIRED' };
export const TOLD = { creatorAction: REMOVE };
export const item = (id: string, views = '7') => ({ id, publishedAt: PUBLISHED_AT, availability: 'AVAILABLE', views });
export const grant = (more: object = {}) => ({
  account: 'x',
  provider: 'PROVIDER_B',
  isUsable: false,
  hasEnded: false,
  ...more,
});
const post = (id: string) => ({ id, account: 'x', publishedAt: Date.parse(PUBLISHED_AT), isPublic: true, views: '7' });
export const EXCHANGE = { account: 'x', route: 'token', grantType: 'authorization_code', fault: null, violations: [] };
export const REVOKE = { ...EXCHANGE, route: 'revoke', grantType: null };
const jobIs = (id: string, status: string, more: object = {}) => ({
  value: {
    id,
    status,
    errorCode: null,
    creatorAction: null,
    resultProviderContentId: null,
    continuationCursor: null,
    ...more,
  },
});

/** The promises to which the checker objects. */
export const rulesOf = (run: Run): Rule[] => [...new Set(check(run).map(({ rule }) => rule))];
