import type { ChecklistItem } from '../checklist.ts';

/** State of November 2026. docs/provider-checklists.md shows this list. */
export const checklist: readonly ChecklistItem[] = [
  {
    id: 'B1',
    item: 'Client key and secret are of the same environment, live or sandbox',
    without: "TikTok's own page (`client_key`), or `invalid_client`",
    here: 'Alert `AccountsClientRejected`',
    symptoms: ['CLIENT_REFUSED', 'NO_CALLBACK'],
  },
  {
    id: 'B2',
    item: 'Login Kit for web has the redirect URI: https, no query, no fragment',
    without: "TikTok's own page; `error_type=redirect_uri`",
    here: 'CLIENT_REFUSED',
    symptoms: ['NO_CALLBACK', 'EXCHANGE_REFUSED', 'CLIENT_REFUSED'],
  },
  {
    id: 'B3',
    item: 'Each scope is approved: `user.info.basic`, `user.info.profile`, `video.list`',
    without: "TikTok's own page; `error_type=scope` or `scope_not_authorized`",
    here: 'CLIENT_REFUSED',
    symptoms: ['NO_CALLBACK', 'CLIENT_REFUSED'],
  },
  {
    id: 'B4',
    item: "The app is live, or the account is one of its sandbox's ten target users",
    without: "TikTok's own page; `unauthorized_client` or `non_sandbox_target`",
    here: 'CLIENT_REFUSED',
    symptoms: ['NO_CALLBACK', 'CLIENT_REFUSED'],
  },
  {
    id: 'B5',
    item: '`PROVIDER_B_PKCE` fits the app: `base64url` for web, `hex` for desktop',
    without: 'The code is refused: "Code verifier or code challenge is invalid."',
    here: 'EXCHANGE_FAILED; alert `AccountsExchangesFailing`',
    symptoms: ['NO_CALLBACK', 'EXCHANGE_REFUSED'],
  },
  {
    id: 'B6',
    item: 'The person leaves the permissions ticked',
    without: 'The token lacks them',
    here: 'PARTIAL_PERMISSION',
    symptoms: ['PERMISSION_MISSING'],
  },
  {
    id: 'B7',
    item: 'The webhook URL is entered, and its secret is stored with `callback-secret add`',
    without: 'TikTok sends no events, or gets 403',
    here: 'Removals are noticed at the next use',
    symptoms: [],
  },
  {
    id: 'B8',
    item: 'No other service uses this client key',
    without: "Each refresh of one ends the other's refresh token",
    here: 'RECONNECT_REQUIRED within a day',
    symptoms: [],
  },
  {
    id: 'B9',
    item: "The review finds a product website (no login or landing page) with visible links to terms and privacy policy; an app name without a network's name; verified URL properties; at most five videos of 50 MB, in TikTok’s sandbox, that show each permission; no private use",
    without: 'The review is refused',
    here: 'As B4',
    symptoms: [],
  },
  {
    id: 'B10',
    item: 'Each change of the app is sent for review; unused permissions are removed',
    without: 'TikTok may revoke the integration',
    here: 'Alert `AccountsClientRejected`',
    symptoms: [],
  },
];
