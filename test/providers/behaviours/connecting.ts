import { because, type ProviderRow } from '../../kit/behaviours-document.ts';

const A = 'providers/provider-a';
const B = 'providers/provider-b';
const C = 'providers/provider-c';
const CONTRACT = 'providers/contract';

/** One test of the suite that is run for every provider. */
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
          'providers/facts > the authorize URL > of PROVIDER_B has a client_key, commas, and its trailing slash',
        ],
        PROVIDER_C: [
          'providers/facts > the authorize URL > of PROVIDER_C has no challenge, which is not documented there',
        ],
      },
    ],
    [
      'PKCE',
      {
        PROVIDER_A: [
          'providers/facts > the authorize URL > of PROVIDER_A asks for a refresh token every time',
          `${CONTRACT} > PROVIDER_A > connects: tokens, permissions, whose consent it was, and the account behind it`,
        ],
        PROVIDER_B: [
          'providers/facts > PROVIDER_B writes its challenge as the setting says: …',
          `${B}/contract > connects with PKCE …`,
        ],
        PROVIDER_C: because('it documents none, and is sent none.'),
      },
    ],
    [
      'Callback: code, refusal, peculiarities',
      {
        PROVIDER_A: [
          `${CONTRACT} > PROVIDER_A > reads a refusal at the consent page as one`,
          'providers/facts > a callback > reads code=c&iss=https%3A%2F%2Faccounts.google.com',
        ],
        PROVIDER_B: [
          `${CONTRACT} > PROVIDER_B > reads a refusal at the consent page as one`,
          'providers/facts > a callback > reads code=a%2Ab%210&scopes=x&state=s',
        ],
        PROVIDER_C: [
          `${CONTRACT} > PROVIDER_C > reads a refusal at the consent page as one`,
          'providers/facts > a callback > of PROVIDER_C loses the mark its redirects end in',
        ],
      },
    ],
    [
      'Code exchange: tokens, ends, permissions, principal',
      {
        PROVIDER_A: [
          `${A}/oauth > exchange > yields tokens, what was granted, and whose account a revoke would hit`,
          `${A}/oauth > exchange > keeps a numeric sub to its last digit`,
        ],
        PROVIDER_B: [`${B}/oauth > exchange > yields both tokens with the ends the answer names, and the open_id`],
        PROVIDER_C: [
          `${C}/oauth > exchange > takes the short-lived token …`,
          `${C}/contract > connects with a token answer that is …`,
        ],
      },
    ],
    [
      'Wire format of every request, from consent to profile',
      inEach('connects: tokens, permissions, whose consent it was, and the account behind it'),
    ],
    ['A code used twice', inEach('a code is good once')],
    ['The answer to an exchange lost', inEach('an exchange whose answer is lost leaves the outcome unknown')],
    [
      'An exchange that leaves a grant of no use',
      {
        PROVIDER_A: [`${A}/oauth > exchange > without a refresh token is no use, yet leaves a grant behind`],
        PROVIDER_B: because('its one answer has all there is.'),
        PROVIDER_C: [
          `${C}/oauth > exchange > leaves a grant behind when the second step fails, and says so`,
          `${C}/contract > a second step that fails …`,
        ],
      },
    ],
    [
      'Permissions unticked',
      {
        PROVIDER_A: [
          `${A}/contract > with its permission unticked nothing is granted, and reading says what is missing`,
        ],
        PROVIDER_B: [`${B}/contract > with permissions unticked, reads the profile that is left, and no posts`],
        PROVIDER_C: [`${C}/contract > reads likes and comments without the permission for insights, and asks for none`],
      },
    ],
    [
      'Profile',
      {
        PROVIDER_A: [
          `${A}/account > is the channel, with its largest picture and a URL that survives a change of handle`,
        ],
        PROVIDER_B: [
          `${B}/account > asks for exactly the fields that were granted`,
          `${B}/account > falls back to the smaller picture and to a profile URL made of the name`,
        ],
        PROVIDER_C: [
          `${C}/account > is the professional account, the app-scoped id its alias`,
          `${C}/account > goes by the app-scoped id where there is no other, whatever JSON makes of it`,
          `${C}/account > is read with the least fields where one is refused`,
        ],
      },
    ],
    [
      'An account that cannot be used',
      {
        PROVIDER_A: [
          `${A}/account > is unusable without a channel: the list then has no items at all`,
          `${A}/contract > an account without a channel has nothing to connect`,
        ],
        PROVIDER_B: [`${B}/account > cannot be read without the basic permission, and is not asked for`],
        PROVIDER_C: [
          `${C}/account > is unusable when it is a personal one`,
          'sandbox/provider-c > PROVIDER_C in the sandbox > keeps a personal account on its own page',
        ],
      },
    ],
  ],
};
