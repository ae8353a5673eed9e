import { because, type ProviderRow } from './document.ts';

const A = 'providers/provider-a';
const B = 'providers/provider-b';
const C = 'providers/provider-c';
const WIRE = 'activities/on-the-wire > PROVIDER_B, with single-use refresh tokens';
const NO_CALLBACKS = because('it has no callbacks; upkeep detects the removal.');
const NO_REVOKE = because('it has no revoke; the service asks the person to remove the app.');

export const GRANTS: Readonly<Record<string, readonly ProviderRow[]>> = {
  Grants: [
    [
      'Refresh',
      {
        PROVIDER_A: [`${A}/contract > a refresh keeps the refresh token and the granted permissions`],
        PROVIDER_B: [`${B}/oauth > refresh > stores both rotated tokens`],
        PROVIDER_C: [
          `${C}/oauth > refresh > exchanges the token for a longer-lived one, without the client’s secret`,
          `${C}/contract > a refresh waits on the first day, works after it, and fails after the token expires`,
        ],
      },
    ],
    [
      'Rotation',
      {
        PROVIDER_A: [`${A}/oauth > refresh > stores a new refresh token if the answer has one`],
        PROVIDER_B: [`${B}/contract > a refresh rotates: the old refresh token fails at once, the new one works`],
        PROVIDER_C: [`${C}/oauth > refresh > exchanges the token for a longer-lived one, without the client’s secret`],
      },
    ],
    [
      'An answer without a refresh token: the old one is kept',
      {
        PROVIDER_A: [
          `${A}/oauth > refresh > keeps the old refresh token, its expiry and the permissions if the answer has none`,
        ],
        PROVIDER_B: [`${B}/oauth > refresh > keeps values that the answer omits`],
        PROVIDER_C: because('it has only an access token.'),
      },
    ],
    [
      'A lost answer to a refresh',
      {
        PROVIDER_A: [`${A}/oauth > refresh > is repeated safely after a lost answer`],
        PROVIDER_B: [
          `${B}/oauth > refresh > has an unknown outcome if the answer to a rotation is lost`,
          `${B}/contract > a refresh without an answer leaves the outcome unknown`,
          `${WIRE} > may have accepted a refresh with a lost answer: the person is asked to reconnect`,
        ],
        PROVIDER_C: [`${C}/oauth > refresh > is repeated safely after a lost answer`],
      },
    ],
    [
      'Too early, or too late, to refresh',
      {
        PROVIDER_A: because('a refresh token works at any time.'),
        PROVIDER_B: because('a refresh token works at any time before its end.'),
        PROVIDER_C: [
          `${C}/oauth > refresh > of an expired token fails without a call`,
          `${C}/oauth > refresh > of a token younger than a day waits until it is old enough`,
        ],
      },
    ],
    [
      'The person has removed the app',
      {
        PROVIDER_A: [
          'providers/contract > PROVIDER_A > blames only the token or the grant once the person has removed the app',
        ],
        PROVIDER_B: [
          'providers/contract > PROVIDER_B > blames only the token or the grant once the person has removed the app',
          `${WIRE} > reports a grant that the person removed: the connection asks for a reconnect`,
        ],
        PROVIDER_C: [
          'providers/contract > PROVIDER_C > blames only the token or the grant once the person has removed the app',
        ],
      },
    ],
    [
      'Revoke with the right token',
      {
        PROVIDER_A: [
          `${A}/oauth > revoke > sends the refresh token and nothing else`,
          `${A}/contract > a revoke ends the grant, and a second one finds it ended`,
        ],
        PROVIDER_B: [
          `${B}/oauth > revoke > succeeds with an empty …`,
          `${B}/oauth > revoke > requires a fresh token, without a call, if this one expires in …`,
          `${WIRE} > is revoked with a stale access token after a refresh`,
        ],
        PROVIDER_C: [`${C}/oauth > a revoke is impossible, and sends no call`, `${C}/contract > there is no revoke`],
      },
    ],
    [
      'A grant that is already revoked',
      {
        PROVIDER_A: [
          `${A}/oauth > revoke > treats invalid_token as a grant that has already ended`,
          `${A}/oauth > revoke > does not do so for an access token, which may only have expired`,
        ],
        PROVIDER_B: [
          `${B}/oauth > revoke > requires a fresh token, however long this one should live, after the refusal …`,
          `${B}/contract > a revoke requires a live access token: a stale one proves nothing`,
          `${B}/contract > a revoke with a token that ended before its time says so, and the grant is revoked with a fresh one`,
        ],
        PROVIDER_C: NO_REVOKE,
      },
    ],
    [
      'Failures during a revoke',
      {
        PROVIDER_A: [
          `${A}/oauth > revoke > is retried after …`,
          `${A}/oauth > revoke > can be repeated after a lost answer`,
        ],
        PROVIDER_B: [
          `${B}/oauth > revoke > is retried after …`,
          `${B}/oauth > revoke > can be repeated after a lost answer`,
        ],
        PROVIDER_C: NO_REVOKE,
      },
    ],
    [
      'Other grants that a revoke ends',
      {
        PROVIDER_A: [
          'sandbox/provider-a > PROVIDER_A in the sandbox > revokes every channel of the Google account, for every client of the project and no other',
        ],
        PROVIDER_B: [
          'activities/care > siblings of a connection that is being disconnected > share its scope and provider, or its principal in any scope',
        ],
        PROVIDER_C: NO_REVOKE,
      },
    ],
  ],
  'Notifications from platforms': [
    [
      'Removal or deauthorization',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: [
          'providers/provider-b/callbacks > an authorization.removed event > names the account and the time',
          'api/platform-callbacks/callbacks > a removal > from PROVIDER_B verifies the grants of that account in every scope, and affects no others',
        ],
        PROVIDER_C: [
          'providers/provider-c/callbacks > deauthorize > names the account and the time',
          'api/platform-callbacks/callbacks > a removal > from PROVIDER_C verifies the grants of that account in every scope, and affects no others',
        ],
      },
    ],
    [
      'Deletion request, its code and page',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: because('it sends no such request.'),
        PROVIDER_C: [
          'providers/provider-c/callbacks > a deletion is confirmed in the platform’s format',
          'api/platform-callbacks/deletion > a deletion request > …',
          'api/platform-callbacks/deletion > its page > …',
        ],
      },
    ],
    [
      'Forged notifications, or wrong signatures',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: ['providers/provider-b/callbacks > a signature > …'],
        PROVIDER_C: ['providers/provider-c/callbacks > a notification > …'],
      },
    ],
    [
      'Late notifications',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: [
          'api/platform-callbacks/callbacks > a removal > from before the grant leaves that grant alone',
          'api/platform-callbacks/callbacks > a removal > redelivered days later with its original time is still handled',
        ],
        PROVIDER_C: [
          'providers/provider-c/callbacks > an old notification is accepted: the service compares it with the grant’s age',
          'api/platform-callbacks/deletion > a deletion request > older than the grant counts as fulfilled by the earlier disconnect',
        ],
      },
    ],
    [
      'Replayed notifications',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: ['api/platform-callbacks/callbacks > a removal > received twice starts one workflow'],
        PROVIDER_C: [
          'api/platform-callbacks/deletion > a deletion request > sent again returns the same code and starts nothing new',
        ],
      },
    ],
    [
      'A notification of our own revoke',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: [
          'providers/provider-b/callbacks > an authorization.removed event > with content …',
          'api/platform-callbacks/callbacks > a removal > caused by our own revoke is recognized; a forged one of that kind is verified',
        ],
        PROVIDER_C: NO_REVOKE,
      },
    ],
    [
      'Ids beyond 2^53, as text or number',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: [
          'providers/provider-b/callbacks > an authorization.removed event > keeps every digit of an open_id that is a number',
        ],
        PROVIDER_C: [
          'providers/provider-c/callbacks > a numeric id beyond 2^53 keeps all its digits',
          'api/platform-callbacks/callbacks > a callback > finds the account by either of its ids, as text or as number',
        ],
      },
    ],
  ],
};
