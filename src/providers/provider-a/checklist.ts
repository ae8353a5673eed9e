import type { ChecklistItem } from '../checklist.ts';

/** State of November 2026. docs/provider-checklists.md shows this list. */
export const checklist: readonly ChecklistItem[] = [
  {
    id: 'A1',
    item: 'The project is active, and its OAuth client of the type Web application exists, with the secret that is stored here. Google deletes clients without use for six months',
    without: 'Token requests answer `invalid_client`, `deleted_client` or `disabled_client`',
    here: 'The registration is rejected: alert `AccountsClientRejected`, `integrationReadiness` false',
    symptoms: ['CLIENT_REFUSED'],
  },
  {
    id: 'A2',
    item: 'The redirect URI is entered character by character',
    without: "Google's own page, or a callback with `redirect_uri_mismatch`",
    here: 'The attempt expires, or ends with CLIENT_REFUSED',
    symptoms: ['NO_CALLBACK', 'EXCHANGE_REFUSED', 'CLIENT_REFUSED'],
  },
  {
    id: 'A3',
    item: 'The YouTube Data API v3 is enabled in the project',
    without: 'Reads answer 403 `accessNotConfigured` or `SERVICE_DISABLED`',
    here: 'Connects end with PROVIDER_UNAVAILABLE; alert `AccountsClientDoubted`',
    symptoms: ['READS_REFUSED'],
  },
  {
    id: 'A4',
    item: 'The consent screen has the user type External',
    without: "Google's own page, or `org_internal`: only accounts of your organization",
    here: 'Attempts of others expire, or end with CLIENT_REFUSED and the code `org_internal`',
    symptoms: ['NO_CALLBACK', 'CLIENT_REFUSED'],
  },
  {
    id: 'A5',
    item: 'The consent screen is published (In production), or each tester is entered as a test user',
    without: "Google's own page `access_denied` for others; every grant ends after seven days",
    here: 'Attempts expire; many connections become RECONNECT_REQUIRED a week after their connect',
    symptoms: ['NO_CALLBACK', 'SHORT_GRANT'],
  },
  {
    id: 'A6',
    item: 'The scopes `openid` and `youtube.readonly` are entered on the consent screen and verified',
    without: 'A warning before the consent, and at most 100 people in the life of the project',
    here: "From the 101st person on, attempts expire on Google's own page",
    symptoms: ['NO_CALLBACK'],
  },
  {
    id: 'A7',
    item: 'The person ticks the permission of YouTube',
    without: 'The token has only `openid`',
    here: 'The attempt ends with MISSING_PERMISSION',
    symptoms: ['PERMISSION_MISSING'],
  },
  {
    id: 'A8',
    item: 'The account has a channel, and is no supervised account. An account of a company: its administrator allows the app',
    without:
      'Reads answer `youtubeSignupRequired` or `forbidden`; the consent or refreshes answer `admin_policy_enforced`',
    here: 'The attempt ends with ACCOUNT_UNUSABLE or CLIENT_REFUSED; the connection becomes RECONNECT_REQUIRED',
    symptoms: ['ACCOUNT_UNUSABLE', 'CLIENT_REFUSED'],
  },
  {
    id: 'A9',
    item: 'An owner of a Brand Account can finish the consent. If the page hangs, leave out `openid`: `registration permissions`',
    without: 'The consent page never continues',
    here: 'The attempt expires',
    symptoms: ['NO_CALLBACK'],
  },
  {
    id: 'A10',
    item: 'The quota suffices: 10,000 units a day, or what the audit granted, stored with `registration quota`',
    without: 'Reads answer 403 `quotaExceeded` or 429 `rateLimitExceeded`',
    here: 'Reads wait until midnight Pacific time; alert `AccountsQuotaSpent`',
    symptoms: ['QUOTA_SPENT'],
  },
  {
    id: 'A11',
    item: 'The project is not suspended, its billing account (if any) is active, and it serves nothing but this service',
    without: 'Reads answer 403 `CONSUMER_SUSPENDED` or `BILLING_DISABLED`; a revoke ends the grants of other services',
    here: 'Connects end with PROVIDER_UNAVAILABLE; alert `AccountsClientDoubted`',
    symptoms: ['READS_REFUSED'],
  },
  {
    id: 'A12',
    item: 'The API was called within the last 90 days',
    without: 'YouTube may withdraw quota or credentials (Developer Policies, III.D.4)',
    here: 'Alert `AccountsRegistrationIdle` after 21 days',
    symptoms: [],
  },
  {
    id: 'A13',
    item: 'Mail to the contacts of the project is read each day: YouTube asks for answers within 3 to 7 business days',
    without: 'The audit fails, or access ends',
    here: 'Nothing, until reads answer 403',
    symptoms: [],
  },
  {
    id: 'A14',
    item: 'The project belongs to the company that operates the product. After a sale or a merger, the Change of Control form is sent',
    without: 'YouTube may end access',
    here: 'Nothing, until reads answer 403',
    symptoms: [],
  },
];
