import type { Proofs, SharedRow } from './document.ts';

const of = (group: string, ...names: string[]): Proofs => {
  const [first = '', ...others] = names.map((name) => `${group} > ${name}`);
  return [first, ...others];
};

export const SHARED: Readonly<Record<string, readonly SharedRow[]>> = {
  'Grants under load and after crashes': [
    [
      '50 users of one expired token over two workers: one refresh',
      [
        ...of(
          'activities/refresh-race > a rotating grant',
          'is refreshed once after it expires, for 50 users in two processes',
          'is refreshed once if 50 users find its token stale at once',
        ),
        'activities/on-the-wire > PROVIDER_B, with single-use refresh tokens > receives one refresh for 50 users of an expired grant',
      ],
    ],
    [
      'A crash at any step between rotation and storage',
      [
        'activities/refresh-race > a worker that crashes > …',
        'activities/refresh-race > a database that fails while a refreshed token is stored > …',
      ],
    ],
    [
      'A crash while a revoke refreshes or revokes',
      [
        'activities/revoke-after-crash > a revoke that finds the grant ended > …',
        'activities/kept-tokens > a revoke with kept tokens after a worker crash > …',
      ],
    ],
    [
      'A lost refresh has its own state, which ends after a limited time',
      of('activities/tokens > a refresh', 'keeps its claim for 90 s after a lost answer, then is tried a second time'),
    ],
    [
      'A refused client: calls stop, operators are informed, no grant ends',
      ['activities/registration-calls > a client that the provider refuses > …'],
    ],
    [
      'A used-up quota parks the registration’s reads until it resets',
      ['activities/registration-calls > a quota that is used up > …'],
    ],
    [
      'Upkeep: before anything expires, spread out, with a pause after failures',
      ['activities/care > upkeep > …', 'workflows/care > connectionUpkeep > …'],
    ],
    [
      'Callers and operators see the time of the next attempt',
      ['activities/setbacks > a waiting read > …', 'activities/setbacks > a revoke after > …'],
    ],
  ],
  Siblings: [
    [
      'A compensating revoke is not sent if it would end another live grant',
      [
        'activities/release > a compensating revoke > …',
        ...of(
          'activities/release > giving up on a revoke',
          'never leads to a late revoke of grants that the principal uses meanwhile',
        ),
      ],
    ],
    [
      'All connections of the principal are verified after every revoke',
      [
        'activities/care > siblings of a connection that is being disconnected > …',
        'workflows/care > verifySiblings > …',
      ],
    ],
    [
      'A grant that arrives late does not outlive a revoke',
      [
        'activities/complete-attempt > while a disconnect holds its siblings > …',
        ...of(
          'activities/release > revoke',
          'waits for an exchange in flight on the same scope and provider, and for no other',
        ),
      ],
    ],
  ],
  Retention: [
    [
      'Posts and profiles: 30 days',
      of(
        'store/retention > retention',
        'blanks a post 30 days after the last read, except its id and that time',
        'deletes a profile 30 days after it was read, and keeps the connection',
      ),
    ],
    [
      'After a disconnect: posts and profile at once, the rest with the erase',
      ['activities/erase > purgeContent > …', 'activities/erase > eraseConnection > …'],
    ],
    ['Attempts, jobs, receipts, kept tokens, dead grants, coverage', ['store/retention > retention > deletes …']],
  ],
  'Sign-ins at any OpenID issuer': [
    ['Checks of the id_token', ['identity/sign-in > an id_token > …']],
    ['Signing keys: cached, rotated, not requested for every token', ['identity/sign-in > the keys of an issuer > …']],
    ['Optional claims, and userinfo', ['identity/sign-in > optional claims > …']],
    ['Refusals and outages', ['identity/sign-in > an issuer > …', 'identity/oidc > discovery > …']],
  ],
  'Outgoing calls': [
    ['A hanging answer', of('providers/http', 'reports a hanging answer as lost after the timeout')],
    ['A slow answer', of('providers/http', 'applies the timeout to the whole answer, however slowly it arrives')],
    [
      'A connection reset',
      of(
        'providers/http',
        'reports a connection reset in the middle of a body as lost',
        'never repeats a request, not even a GET whose connection broke',
      ),
    ],
    ['An oversized answer', of('providers/http', 'stops reading at the size limit')],
    ['Redirects', of('providers/http', 'returns a redirect instead of following it')],
    ['Cancellation', of('providers/http', 'stops at once when canceled, and reports whether anything was sent')],
    ['Secrets', of('providers/http', 'neither sends nor reveals an invalid header')],
    [
      'Non-public addresses, and plain http',
      ['providers/http > in production refuses …', 'providers/public-address > refuses …'],
    ],
    ['The OpenID client uses the same HTTP client', of('providers/http', 'serves openid-client as its fetch')],
  ],
};
