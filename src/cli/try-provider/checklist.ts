import type { ProviderName } from '../../basics/codes.ts';
import type { ProviderError } from '../../providers/provider.ts';

/** What a trial can notice. Each item of a checklist names those that its absence causes. */
export type Symptom =
  /** The platform refuses the client id or the secret. */
  | 'CLIENT_REFUSED'
  /** The browser never came back: the platform showed a page of its own. */
  | 'NO_CALLBACK'
  /** The code was refused. */
  | 'EXCHANGE_REFUSED'
  /** The person could not grant a permission, or did not. */
  | 'PERMISSION_MISSING'
  /** The consent worked, and the account cannot be read. */
  | 'ACCOUNT_UNUSABLE'
  /** Reads are refused for our client's sake. */
  | 'READS_REFUSED'
  | 'QUOTA_SPENT'
  /** The grant ends within days. */
  | 'SHORT_GRANT';

/** One thing that must be set up at a platform's console. */
export interface ChecklistItem {
  readonly id: string;
  /** What must be so there. */
  readonly item: string;
  /** What the platform does without it. */
  readonly without: string;
  /** How that looks here. */
  readonly here: string;
  /** Empty for what a trial cannot notice. */
  readonly symptoms: readonly Symptom[];
}

/** State of November 2026. docs/provider-checklists.md shows these lists. */
export const CHECKLISTS: Readonly<Record<ProviderName, readonly ChecklistItem[]>> = {
  PROVIDER_A: [
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
      without: "Google's own page: `redirect_uri_mismatch`",
      here: 'The attempt expires',
      symptoms: ['NO_CALLBACK', 'EXCHANGE_REFUSED'],
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
      here: 'Attempts of others expire',
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
      without: 'Reads answer `youtubeSignupRequired` or `forbidden`; refreshes answer `admin_policy_enforced`',
      here: 'The attempt ends with MISSING_PERMISSION; the connection becomes RECONNECT_REQUIRED',
      symptoms: ['ACCOUNT_UNUSABLE'],
    },
    {
      id: 'A9',
      item: 'An owner of a Brand Account can finish the consent. If the page hangs, leave out `openid`: `registration permissions`',
      without: 'The consent page never goes on',
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
      without:
        'Reads answer 403 `CONSUMER_SUSPENDED` or `BILLING_DISABLED`; a revoke ends the grants of other services',
      here: 'Connects end with PROVIDER_UNAVAILABLE; alert `AccountsClientDoubted`',
      symptoms: ['READS_REFUSED'],
    },
  ],
  PROVIDER_B: [
    {
      id: 'B1',
      item: 'Client key and secret are those of the same environment: a sandbox of TikTok has its own',
      without: "TikTok's own page (`client_key`), or `invalid_client`",
      here: 'Attempts expire, or the registration is rejected',
      symptoms: ['CLIENT_REFUSED', 'NO_CALLBACK'],
    },
    {
      id: 'B2',
      item: 'Login Kit for web has the redirect URI: https, no query, no fragment',
      without: "TikTok's own page (`redirect_uri`)",
      here: 'The attempt expires',
      symptoms: ['NO_CALLBACK', 'EXCHANGE_REFUSED'],
    },
    {
      id: 'B3',
      item: 'Each scope is added to the app and approved: `user.info.basic`, `user.info.profile`, `video.list`. Leave out those that are not: `registration permissions`',
      without: "TikTok's own page (`scope`), for the whole request",
      here: 'Every attempt expires',
      symptoms: ['NO_CALLBACK'],
    },
    {
      id: 'B4',
      item: 'The app is live, or the account is one of the ten target users of its sandbox',
      without: "TikTok's own page (`unauthorized_client` or `non_sandbox_target`)",
      here: 'Attempts of others expire',
      symptoms: ['NO_CALLBACK'],
    },
    {
      id: 'B5',
      item: '`PROVIDER_B_PKCE` fits the type of the app: `base64url` for web, `hex` for desktop',
      without: 'The code is refused: "Code verifier or code challenge is invalid."',
      here: 'Attempts end with EXCHANGE_FAILED; alert `AccountsExchangesFailing`',
      symptoms: ['NO_CALLBACK', 'EXCHANGE_REFUSED'],
    },
    {
      id: 'B6',
      item: 'The person leaves the permissions ticked',
      without: 'The token lacks them',
      here: 'The connection lacks the capabilities (PARTIAL_PERMISSION)',
      symptoms: ['PERMISSION_MISSING'],
    },
    {
      id: 'B7',
      item: 'The webhook URL is entered, and its secret is stored with `callback-secret add`',
      without: 'TikTok tells nobody, or its calls are refused with 403',
      here: 'A removal is noticed only at the next use of the grant',
      symptoms: [],
    },
    {
      id: 'B8',
      item: 'No other service uses this client key',
      without: 'Each refresh of one ends the refresh token of the other',
      here: 'Connections become RECONNECT_REQUIRED within a day',
      symptoms: [],
    },
  ],
  PROVIDER_C: [
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
      without: "Instagram's own page, or a refused code",
      here: 'The attempt expires or ends with EXCHANGE_FAILED',
      symptoms: ['NO_CALLBACK', 'EXCHANGE_REFUSED'],
    },
    {
      id: 'C3',
      item: 'Each permission has Advanced Access: App Review and Business Verification. Leave out those that have not: `registration permissions`',
      without: '"Invalid Scopes", or a consent after which every call answers code 100, "Unsupported request"',
      here: 'Attempts expire, or end with MISSING_PERMISSION',
      symptoms: ['NO_CALLBACK', 'ACCOUNT_UNUSABLE'],
    },
    {
      id: 'C4',
      item: 'With Standard Access: the account is invited as an Instagram tester, and its owner has accepted that in Instagram',
      without: 'The consent works, and every call answers code 100, "Unsupported request - method type: get"',
      here: 'The attempt ends with MISSING_PERMISSION',
      symptoms: ['ACCOUNT_UNUSABLE', 'NO_CALLBACK'],
    },
    {
      id: 'C5',
      item: 'The account is a professional one (Business or Creator)',
      without: 'Instagram\'s own page, or code 10, "The user is not an Instagram Business"',
      here: 'The attempt expires, or ends with MISSING_PERMISSION',
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
      item: 'The app is live, and neither blocked nor deactivated: the yearly data-use check-up is done',
      without: 'Every call answers code 200, "API access blocked" or "API access deactivated"',
      here: 'Reads wait; alert `AccountsClientDoubted`',
      symptoms: ['READS_REFUSED', 'NO_CALLBACK'],
    },
    {
      id: 'C9',
      item: 'The deauthorize URL and the data deletion URL are entered, and both app secrets are stored with `callback-secret add`',
      without: 'Instagram tells nobody, or its calls are refused with 403',
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
  ],
};

/** The items whose absence can explain what a trial noticed. */
export const explainSymptom = (provider: ProviderName, symptom: Symptom): readonly ChecklistItem[] =>
  CHECKLISTS[provider].filter(({ symptoms }) => symptoms.includes(symptom));

/** What a failed step hints at. */
export function findSymptom({ type, status }: ProviderError): Symptom | undefined {
  switch (type) {
    case 'AccountUnusable':
    case 'PermissionMissing':
      return 'ACCOUNT_UNUSABLE';
    case 'QuotaSpent':
      return 'QUOTA_SPENT';
    case 'ClientRejected':
      return 'READS_REFUSED';
    case 'RetryLater':
      return status !== undefined && status >= 400 && status < 429 ? 'READS_REFUSED' : undefined;
    default:
      return undefined;
  }
}
