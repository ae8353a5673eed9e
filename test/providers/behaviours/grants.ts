import { because, type ProviderRow } from '../../kit/behaviours-document.ts';

const A = 'providers/provider-a';
const B = 'providers/provider-b';
const C = 'providers/provider-c';
const WIRE = 'activities/on-the-wire > PROVIDER_B, with single-use refresh tokens';
const NO_CALLBACKS = because('it has no callbacks; upkeep finds out.');
const NO_REVOKE = because('it has no revoke: the person is asked to remove the app.');

export const GRANTS: Readonly<Record<string, readonly ProviderRow[]>> = {
  Grants: [
    [
      'Refresh',
      {
        PROVIDER_A: [`${A}/contract > a refresh keeps the refresh token and what was granted`],
        PROVIDER_B: [`${B}/oauth > refresh > takes the rotated pair over`],
        PROVIDER_C: [
          `${C}/oauth > refresh > swaps the token for one that lives on, without the client’s secret`,
          `${C}/contract > a refresh is not tried on the first day, works then, and not after the token’s end`,
        ],
      },
    ],
    [
      'Rotation',
      {
        PROVIDER_A: [`${A}/oauth > refresh > takes over a new refresh token if one ever comes`],
        PROVIDER_B: [`${B}/contract > a refresh rotates: the old refresh token is dead at once, the new one works`],
        PROVIDER_C: [`${C}/oauth > refresh > swaps the token for one that lives on, without the client’s secret`],
      },
    ],
    [
      'No refresh token in the answer: the old one is kept',
      {
        PROVIDER_A: [
          `${A}/oauth > refresh > keeps the old refresh token, its end and the permissions where the answer has none`,
        ],
        PROVIDER_B: [`${B}/oauth > refresh > keeps what the answer leaves out`],
        PROVIDER_C: because('the access token is all there is.'),
      },
    ],
    [
      'Refreshed, answer lost',
      {
        PROVIDER_A: [`${A}/oauth > refresh > whose answer is lost is simply made again`],
        PROVIDER_B: [
          `${B}/oauth > refresh > calls a rotation whose answer was lost unknown`,
          `${B}/contract > a refresh whose answer is lost leaves the outcome unknown`,
          `${WIRE} > may have accepted a refresh with a lost answer: the person is asked to reconnect`,
        ],
        PROVIDER_C: [`${C}/oauth > refresh > whose answer is lost is simply made again`],
      },
    ],
    [
      'Too early, or too late, to refresh',
      {
        PROVIDER_A: because('a refresh token works at any time.'),
        PROVIDER_B: because('a refresh token works at any time before its end.'),
        PROVIDER_C: [
          `${C}/oauth > refresh > of an expired token is hopeless and not tried`,
          `${C}/oauth > refresh > of a token younger than a day waits until it is old enough`,
        ],
      },
    ],
    [
      'The person has removed the app',
      {
        PROVIDER_A: [
          'providers/contract > PROVIDER_A > finds nothing wrong but the token or the grant once the person has removed the app',
        ],
        PROVIDER_B: [
          'providers/contract > PROVIDER_B > finds nothing wrong but the token or the grant once the person has removed the app',
          `${WIRE} > reports a grant that the person removed: the connection asks for a reconnect`,
        ],
        PROVIDER_C: [
          'providers/contract > PROVIDER_C > finds nothing wrong but the token or the grant once the person has removed the app',
        ],
      },
    ],
    [
      'Revoke, with the right token',
      {
        PROVIDER_A: [
          `${A}/oauth > revoke > sends the refresh token and nothing else`,
          `${A}/contract > a revoke ends the grant, and a second one finds it ended`,
        ],
        PROVIDER_B: [
          `${B}/oauth > revoke > succeeds with an empty …`,
          `${B}/oauth > revoke > wants a fresh token, without a call, when this one ends in …`,
          `${WIRE} > is revoked with a stale access token after a refresh`,
        ],
        PROVIDER_C: [`${C}/oauth > a revoke is impossible, and costs no call`, `${C}/contract > there is no revoke`],
      },
    ],
    [
      'Revoked already',
      {
        PROVIDER_A: [
          `${A}/oauth > revoke > takes invalid_token for a grant that has ended already`,
          `${A}/oauth > revoke > does not take it so for an access token, which may only have expired`,
        ],
        PROVIDER_B: [
          `${B}/oauth > revoke > takes the refusal of a token known to be live for a grant that has ended`,
          `${B}/oauth > revoke > knows the refusal by the name …`,
          `${B}/oauth > revoke > does not take it so when the token’s end is unknown`,
          `${B}/contract > a revoke wants a live access token: a stale one proves nothing`,
        ],
        PROVIDER_C: NO_REVOKE,
      },
    ],
    [
      'Trouble during a revoke',
      {
        PROVIDER_A: [
          `${A}/oauth > revoke > tries again after …`,
          `${A}/oauth > revoke > whose answer is lost can be repeated`,
        ],
        PROVIDER_B: [
          `${B}/oauth > revoke > tries again after …`,
          `${B}/oauth > revoke > whose answer is lost can be repeated`,
        ],
        PROVIDER_C: NO_REVOKE,
      },
    ],
    [
      'What else falls with a revoke',
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
  'What platforms tell of their own accord': [
    [
      'Removal or deauthorization',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: [
          'providers/provider-b/callbacks > an authorization.removed event > says whose authorization has gone, and when',
          'api/platform/callbacks > a removal > from PROVIDER_B verifies the grants of that account in every scope, and affects no others',
        ],
        PROVIDER_C: [
          'providers/provider-c/callbacks > deauthorize > says whom it is about, and when',
          'api/platform/callbacks > a removal > from PROVIDER_C verifies the grants of that account in every scope, and affects no others',
        ],
      },
    ],
    [
      'Deletion request, its code and page',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: because('it sends none.'),
        PROVIDER_C: [
          'providers/provider-c/callbacks > a deletion is confirmed as the platform asks',
          'api/platform/deletion > a deletion request > …',
          'api/platform/deletion > its page > …',
        ],
      },
    ],
    [
      'Forged, or signed otherwise',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: ['providers/provider-b/callbacks > a signature > …'],
        PROVIDER_C: ['providers/provider-c/callbacks > is not taken > …'],
      },
    ],
    [
      'Late',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: [
          'api/platform/callbacks > a removal > from before the grant leaves that grant alone',
          'api/platform/callbacks > a removal > redelivered days later with its original time is still handled',
        ],
        PROVIDER_C: [
          'providers/provider-c/callbacks > an old one is taken: it is held against the grant’s own age',
          'api/platform/deletion > a deletion request > older than the grant counts as fulfilled by the earlier disconnect',
        ],
      },
    ],
    [
      'Replayed',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: ['api/platform/callbacks > a removal > received twice starts one workflow'],
        PROVIDER_C: [
          'api/platform/deletion > a deletion request > sent again returns the same code and starts nothing new',
        ],
      },
    ],
    [
      'Our own revoke coming back',
      {
        PROVIDER_A: NO_CALLBACKS,
        PROVIDER_B: [
          'providers/provider-b/callbacks > an authorization.removed event > with content …',
          'api/platform/callbacks > a removal > caused by our own revoke is recognized; a forged one of that kind is verified',
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
          'providers/provider-c/callbacks > an id that is a number beyond 2^53 keeps all its digits',
          'api/platform/callbacks > a callback > finds the account by either of its ids, as text or as number',
        ],
      },
    ],
  ],
};
