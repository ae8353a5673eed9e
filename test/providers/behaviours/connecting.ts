import { because, type ProviderRow } from './document.ts';

const A = 'providers/provider-a';
const B = 'providers/provider-b';
const C = 'providers/provider-c';
const CONTRACT = 'providers/contract';

/** One test of the suite that runs for every provider. */
const inEach = (name: string) => ({
  PROVIDER_A: [`${CONTRACT} > PROVIDER_A > ${name}`] as const,
  PROVIDER_B: [`${CONTRACT} > PROVIDER_B > ${name}`] as const,
  PROVIDER_C: [`${CONTRACT} > PROVIDER_C > ${name}`] as const,
});

export const CONNECTING: Readonly<Record<string, readonly ProviderRow[]>> = {
  Connecting: [
    [
      'Authorize parameters',
      {
        PROVIDER_A: ['providers/facts > the authorize URL > of PROVIDER_A asks for a refresh token every time'],
        PROVIDER_B: [
          'providers/facts > the authorize URL > of PROVIDER_B has a client_key, commas, and a trailing slash',
        ],
        PROVIDER_C: [
          'providers/facts > the authorize URL > of PROVIDER_C has no challenge, because the platform documents none',
        ],
      },
    ],
    [
      'PKCE',
      {
        PROVIDER_A: [
          'providers/facts > the authorize URL > of PROVIDER_A asks for a refresh token every time',
          `${CONTRACT} > PROVIDER_A > connects: tokens, permissions, principal, and the account`,
        ],
        PROVIDER_B: [
          'providers/facts > PROVIDER_B encodes its challenge by its setting: …',
          `${B}/contract > connects with PKCE …`,
        ],
        PROVIDER_C: because('the platform documents no challenge, and gets none.'),
      },
    ],
    [
      'Callback: code, refusal, peculiarities',
      {
        PROVIDER_A: [
          `${CONTRACT} > PROVIDER_A > recognizes a refusal at the consent page`,
          'providers/facts > a callback > reads code=c&iss=https%3A%2F%2Faccounts.google.com',
        ],
        PROVIDER_B: [
          `${CONTRACT} > PROVIDER_B > recognizes a refusal at the consent page`,
          'providers/facts > a callback > reads code=a%2Ab%210&scopes=x&state=s',
        ],
        PROVIDER_C: [
          `${CONTRACT} > PROVIDER_C > recognizes a refusal at the consent page`,
          'providers/facts > a callback > of PROVIDER_C loses the suffix of its redirects',
        ],
      },
    ],
    [
      'Code exchange: tokens, expiries, permissions, principal',
      {
        PROVIDER_A: [
          `${A}/oauth > exchange > returns tokens, granted permissions, and the account that a revoke would affect`,
          `${A}/oauth > exchange > keeps a numeric sub to its last digit`,
        ],
        PROVIDER_B: [`${B}/oauth > exchange > returns both tokens with the expiries of the answer, and the open_id`],
        PROVIDER_C: [
          `${C}/oauth > exchange > accepts the short-lived token …`,
          `${C}/contract > connects with a token answer that is …`,
        ],
      },
    ],
    [
      'Wire format of every request, from consent to profile',
      inEach('connects: tokens, permissions, principal, and the account'),
    ],
    ['A code that is used twice', inEach('a code works once')],
    ['A lost answer to an exchange', inEach('an exchange without an answer leaves the outcome unknown')],
    [
      'An exchange that leaves an unusable grant',
      {
        PROVIDER_A: [`${A}/oauth > exchange > fails without a refresh token, and reports that a grant exists`],
        PROVIDER_B: because('its only answer has everything.'),
        PROVIDER_C: [
          `${C}/oauth > exchange > reports that a grant exists when the second step fails`,
          `${C}/contract > a second step that fails …`,
        ],
      },
    ],
    [
      'Permissions that the person did not grant',
      {
        PROVIDER_A: [
          `${A}/contract > without its permission nothing is granted, and reads name the missing permission`,
        ],
        PROVIDER_B: [`${B}/contract > with only some permissions, reads the rest of the profile, and no posts`],
        PROVIDER_C: [
          `${C}/contract > reads likes and comments without the permission for insights, and requests no insights`,
        ],
      },
    ],
    [
      'Profile',
      {
        PROVIDER_A: [`${A}/account > is the channel, with its largest picture and a URL that survives a new handle`],
        PROVIDER_B: [
          `${B}/account > requests exactly the fields that were granted`,
          `${B}/account > falls back to the smaller picture and to a profile URL built from the name`,
        ],
        PROVIDER_C: [
          `${C}/account > is the professional account, with the app-scoped id as alias`,
          `${C}/account > has the app-scoped id if there is no other, as a JSON text or number`,
          `${C}/account > is read with the fewest fields if one is refused`,
        ],
      },
    ],
    [
      'An unusable account',
      {
        PROVIDER_A: [
          `${A}/account > is unusable without a channel: the list then has no items field`,
          `${A}/contract > an account without a channel has nothing to connect`,
        ],
        PROVIDER_B: [`${B}/account > is not requested without the basic permission`],
        PROVIDER_C: [
          `${C}/account > is unusable if it is a personal one`,
          'sandbox/provider-c > PROVIDER_C in the sandbox > holds a personal account on its own page',
        ],
      },
    ],
  ],
};
