import type { ChecklistItem } from '../checklist.ts';

/** State of November 2026. docs/provider-checklists.md shows this list. */
export const checklist: readonly ChecklistItem[] = [
  {
    id: 'C1',
    item: 'The client id is the Instagram app id, with the Instagram app secret, of "API setup with Instagram login"; not those of the Meta app',
    without: '"Invalid platform app" on a page of Instagram, or as the answer to the code',
    here: 'Attempts expire; alert `AccountsClientDoubted`',
    symptoms: ['CLIENT_REFUSED', 'NO_CALLBACK', 'EXCHANGE_REFUSED'],
  },
  {
    id: 'C2',
    item: 'The redirect URI is entered under Business login settings, with or without the slash at its end as here',
    without:
      "Instagram's own page, a callback with `error_code` 1349048 or 1349168, or a refused exchange whose text names `redirect_uri`",
    here: 'The attempt expires or ends with CLIENT_REFUSED; the unknown answers have the text. `CONNECT_URL` differs between api and worker: the same',
    symptoms: ['NO_CALLBACK', 'EXCHANGE_REFUSED', 'CLIENT_REFUSED'],
  },
  {
    id: 'C3',
    item: 'Each permission has Advanced Access: App Review and Business Verification. Leave out those that have not: `registration permissions`',
    without: '"Invalid Scopes", or a consent after which every call answers code 100, "Unsupported request"',
    here: 'Attempts expire, or end with CLIENT_REFUSED or ACCOUNT_UNUSABLE',
    symptoms: ['NO_CALLBACK', 'ACCOUNT_UNUSABLE', 'CLIENT_REFUSED'],
  },
  {
    id: 'C4',
    item: 'With Standard Access: the account is invited as an Instagram tester, and its owner has accepted that in Instagram',
    without:
      'A callback with `error_code` 1349245; or the consent works, and every call answers code 100, "Unsupported request - method type: get"',
    here: 'The attempt ends with CLIENT_REFUSED or ACCOUNT_UNUSABLE',
    symptoms: ['ACCOUNT_UNUSABLE', 'NO_CALLBACK', 'CLIENT_REFUSED'],
  },
  {
    id: 'C5',
    item: 'The account is a professional one (Business or Creator)',
    without: 'Instagram\'s own page, or code 10, "The user is not an Instagram Business"',
    here: 'The attempt expires, or ends with ACCOUNT_UNUSABLE',
    symptoms: ['NO_CALLBACK', 'ACCOUNT_UNUSABLE'],
  },
  {
    id: 'C6',
    item: 'The person leaves the permission for insights ticked',
    without: 'The token lacks it',
    here: 'Views and shares are NOT_GRANTED',
    symptoms: ['PERMISSION_MISSING'],
  },
  {
    id: 'C7',
    item: '"Require app secret" is off in the advanced settings of the Meta app',
    without: 'Every call answers code 100, "API calls from the server require an appsecret_proof argument"',
    here: 'Connects end with EXCHANGE_FAILED or PROVIDER_UNAVAILABLE; alert `AccountsClientDoubted`',
    symptoms: ['READS_REFUSED', 'EXCHANGE_REFUSED'],
  },
  {
    id: 'C8',
    item: 'The app is live, and neither blocked nor deactivated: the yearly Data Access Renewal is sent within 60 days of Meta’s request',
    without:
      'A callback with `error_code` 1349126 (development mode), 1349187 or 1349220; or every call answers code 200, "API access blocked" or "API access deactivated"',
    here: 'Attempts end with CLIENT_REFUSED; reads wait; alert `AccountsClientDoubted`',
    symptoms: ['READS_REFUSED', 'NO_CALLBACK', 'CLIENT_REFUSED'],
  },
  {
    id: 'C9',
    item: 'The deauthorize URL and the data deletion URL are entered, and both app secrets are stored with `callback-secret add`',
    without: 'Instagram sends no notification, or its calls are refused with 403',
    here: 'Removals are noticed at the next use; a deletion request is not carried out',
    symptoms: [],
  },
  {
    id: 'C10',
    item: '`PROVIDER_C_API_VERSION` is a version that Meta still serves: v25.0 ends about February 2028',
    without: 'Code 2635, or the answers of the oldest version left',
    here: 'Reads end with PROVIDER_CONTRACT; alert `AccountsUnknownAnswer`',
    symptoms: [],
  },
  {
    id: 'C11',
    item: 'Each permission was used within the last 28 days, also between its approval and the launch',
    without: 'Meta may withdraw it (Platform Terms, 7.e.iii)',
    here: 'Alert `AccountsRegistrationIdle` after 21 days; then as C3',
    symptoms: [],
  },
];
