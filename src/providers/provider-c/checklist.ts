import type { ChecklistItem } from '../checklist.ts';

/** State of November 2026. docs/provider-checklists.md shows this list. A list of its own: symptoms of a trial. */
export const checklist: readonly ChecklistItem[] = [
  {
    id: 'C1',
    item: "The client id and secret are the Instagram app's, not the Meta app's",
    without: '"Invalid platform app" on a page of Instagram, or as the answer to the code',
    here: 'Alert `AccountsClientDoubted`',
    symptoms: ['CLIENT_REFUSED', 'NO_CALLBACK', 'EXCHANGE_REFUSED'],
  },
  {
    id: 'C2',
    item: 'The redirect URI is entered under Business login settings, character by character. `CONNECT_URL` is the same in api and worker',
    without: "Instagram's own page; `error_code` 1349048 or 1349168, or a refused exchange that names `redirect_uri`",
    here: 'CLIENT_REFUSED',
    symptoms: ['NO_CALLBACK', 'EXCHANGE_REFUSED', 'CLIENT_REFUSED'],
  },
  {
    id: 'C3',
    item: 'Each permission has Advanced Access: App Review and Business Verification',
    without: '"Invalid Scopes", or every call answers code 100, "Unsupported request"',
    here: 'CLIENT_REFUSED, ACCOUNT_UNUSABLE',
    symptoms: ['NO_CALLBACK', 'ACCOUNT_UNUSABLE', 'CLIENT_REFUSED'],
  },
  {
    id: 'C4',
    item: "With Standard Access: the account's owner has accepted the Instagram tester invitation",
    without: '`error_code` 1349245, or every call answers code 100',
    here: 'CLIENT_REFUSED, ACCOUNT_UNUSABLE',
    symptoms: ['ACCOUNT_UNUSABLE', 'NO_CALLBACK', 'CLIENT_REFUSED'],
  },
  {
    id: 'C5',
    item: 'The account is a professional one (Business or Creator)',
    without: 'Instagram\'s own page, or code 10, "The user is not an Instagram Business"',
    here: 'ACCOUNT_UNUSABLE',
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
    item: '"Require app secret" is off in the Meta app',
    without: 'Every call answers code 100, "API calls from the server require an appsecret_proof argument"',
    here: 'EXCHANGE_FAILED, PROVIDER_UNAVAILABLE; alert `AccountsClientDoubted`',
    symptoms: ['READS_REFUSED', 'EXCHANGE_REFUSED'],
  },
  {
    id: 'C8',
    item: 'The app is live and not blocked: the yearly Data Access Renewal is sent in time (60 days)',
    without:
      '`error_code` 1349126 (development mode), 1349187 or 1349220; or every call answers code 200, "API access blocked"',
    here: 'CLIENT_REFUSED; reads wait; alert `AccountsClientDoubted`',
    symptoms: ['READS_REFUSED', 'NO_CALLBACK', 'CLIENT_REFUSED'],
  },
  {
    id: 'C9',
    item: 'Deauthorize and data deletion URLs are entered, and both app secrets are stored with `callback-secret add`',
    without: 'Instagram sends no calls, or gets 403',
    here: 'Removals are noticed at the next use; deletion requests fail',
    symptoms: [],
  },
  {
    id: 'C10',
    item: '`PROVIDER_C_API_VERSION` is a version that Meta still serves: v25.0 ends about February 2028',
    without: 'Code 2635, or the answers of the oldest version left',
    here: 'PROVIDER_CONTRACT; alert `AccountsUnknownAnswer`',
    symptoms: [],
  },
  {
    id: 'C11',
    item: 'Each permission was used within the last 28 days',
    without: 'Meta may withdraw it (Platform Terms, 7.e.iii)',
    here: 'Alert `AccountsRegistrationIdle` after 21 days; then as C3',
    symptoms: [],
  },
];
