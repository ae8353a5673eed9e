import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as api from 'social-account-connection-client';

// The texts that people read for each code of the service. Newer services may send more codes, so each table has a
// fallback text.

type Texts<Code extends string, Text = string> = Readonly<Record<Code, Text>>;

interface Platform {
  readonly name: string;
  readonly slug: string;
  readonly about: string;
  /** Where people remove an app from their account. */
  readonly removal: string;
  /** Whether an app can revoke its access. Where it cannot, only the person can end it. */
  readonly canRevoke: boolean;
  /** The service erases the data of an account that was not reconnected for so long. */
  readonly eraseDays: number;
}

export const PROVIDERS: Texts<api.SocialProvider, Platform> = {
  PROVIDER_A: {
    name: 'YouTube',
    slug: 'a',
    about: 'Videos of a channel',
    removal: 'your Google Account, under “Security”, at the connections to third-party apps',
    canRevoke: true,
    eraseDays: 30,
  },
  PROVIDER_B: {
    name: 'TikTok',
    slug: 'b',
    about: 'Short videos and photos',
    removal: 'TikTok’s settings, under “Security & permissions”, at “Apps and services permissions”',
    canRevoke: true,
    eraseDays: 90,
  },
  PROVIDER_C: {
    name: 'Instagram',
    slug: 'c',
    about: 'Pictures, reels and carousels',
    removal: 'Instagram’s settings, under “Website permissions”, at “Apps and websites”',
    canRevoke: false,
    eraseDays: 90,
  },
};
const findProfileName = (profile: api.Connection['profile']): string | undefined =>
  profile?.displayName ?? profile?.handle ?? undefined;
/** @param known the stored facts of the account while it could be read */
export const getAccountName = (
  { profile, provider }: Pick<api.Connection, 'provider' | 'profile'>,
  known?: { readonly name?: string | undefined },
): string => findProfileName(profile) ?? known?.name ?? `Account at ${PROVIDERS[provider].name}`;
/** To be stored, so that a person with several accounts knows which one to reconnect. */
export const toKnownAccount = ({ id, provider, profile }: Pick<api.Connection, 'id' | 'provider' | 'profile'>) => ({
  connectionId: id,
  provider,
  name: findProfileName(profile),
  nameReadAt: profile?.observedAt,
});
export const ALL_PROVIDERS = Object.keys(PROVIDERS) as api.SocialProvider[];

export const CAPABILITIES: Texts<api.Capability, { name: string; about: string }> = {
  PROFILE: { name: 'Profile', about: 'Name, picture and description of the account' },
  CONTENT_LIST: { name: 'Posts', about: 'The posts that the account has published' },
  CONTENT_LOOKUP: { name: 'Look up a post by URL', about: 'One post, found by the URL of its page' },
  CONTENT_METRICS: { name: 'Metrics', about: 'Views, likes, comments and shares of posts' },
};
export const ALL_CAPABILITIES = Object.keys(CAPABILITIES) as api.Capability[];

export const METRICS: Texts<api.MetricName> = {
  VIEWS: 'Views',
  LIKES: 'Likes',
  COMMENTS: 'Comments',
  SHARES: 'Shares',
};
export const ALL_METRICS = Object.keys(METRICS) as api.MetricName[];

export const KINDS: Texts<api.ContentKind> = { VIDEO: 'Video', IMAGE: 'Image', CAROUSEL: 'Carousel', UNKNOWN: 'Post' };

export type Mood = 'good' | 'wait' | 'bad';

const RECONNECT =
  'The permission has expired or was revoked. Reconnect the account to see its posts. If you do not, we erase its data within {eraseDays} days.';
const ON_HOLD =
  'We are disconnecting another account of yours at {platform}. This account resumes when that is done. You need not do anything.';

export type Mark = Readonly<{ mood: Mood; name: string }>;

export const CONNECTION_STATUS: Texts<api.ConnectionStatus, Mark & { about: string }> = {
  CONNECTED: { mood: 'good', name: 'Connected', about: '' },
  SUSPENDED: { mood: 'wait', name: 'On hold', about: ON_HOLD },
  RECONNECT_REQUIRED: { mood: 'bad', name: 'Reconnect needed', about: RECONNECT },
  DISCONNECTED: { mood: 'wait', name: 'Disconnecting', about: 'Access has stopped. We are revoking the permission.' },
  DELETING: { mood: 'wait', name: 'Erasing', about: 'Access has stopped. We are erasing the remaining data.' },
};

export const AVAILABILITY: Texts<api.Availability, Mark> = {
  AVAILABLE: { mood: 'good', name: 'Available' },
  UNSUPPORTED: { mood: 'wait', name: 'Not offered' },
  NOT_GRANTED: { mood: 'bad', name: 'Not granted' },
  UNAVAILABLE: { mood: 'wait', name: 'Not available' },
};

/** The HTTP status and title of the page that each error code leads to. */
export const ERRORS: Texts<api.ErrorCode, { status: ContentfulStatusCode; title: string }> = {
  UNAUTHENTICATED: { status: 502, title: 'We cannot reach our data service' },
  FORBIDDEN: { status: 403, title: 'Temporarily unavailable' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  BAD_USER_INPUT: { status: 400, title: 'That did not work' },
  AUTHORIZATION_SUSPENDED: { status: 503, title: 'Paused' },
  RECONNECT_REQUIRED: { status: 409, title: 'Reconnect this account' },
  CAPABILITY_UNAVAILABLE: { status: 409, title: 'Permission missing' },
  DISCONNECT_IN_PROGRESS: { status: 409, title: 'This account is being disconnected' },
  RATE_LIMITED: { status: 429, title: 'Too many attempts' },
  SYNC_WINDOW_BUSY: { status: 409, title: 'Already reading' },
  UPSTREAM_UNAVAILABLE: { status: 502, title: 'Service unavailable' },
};
/** @internal */
export const ERROR_TEXTS: Texts<api.ErrorCode> = {
  UNAUTHENTICATED: 'Our own access to the service is not valid. We have to fix this. Please try again later.',
  FORBIDDEN:
    'This is not possible at the moment. If you have just disconnected an account at the same platform, wait until that is finished and try again.',
  NOT_FOUND: 'There is nothing at this address: it was removed, has expired or never existed.',
  BAD_USER_INPUT: 'The request is not valid. Check your input and try again.',
  AUTHORIZATION_SUSPENDED: 'Access is paused at the moment. Please try again later.',
  RECONNECT_REQUIRED: RECONNECT,
  CAPABILITY_UNAVAILABLE: 'The account was connected without this permission, or it is not available at the moment.',
  DISCONNECT_IN_PROGRESS: 'Access has stopped. You can connect the account again when this is finished.',
  RATE_LIMITED: 'There are too many requests at the moment.',
  SYNC_WINDOW_BUSY:
    'We are reading posts of another period from this account. Wait until that is done, then try again.',
  UPSTREAM_UNAVAILABLE: 'Our data service does not answer. Please try again in a moment.',
};
/** Replace the text of RATE_LIMITED when a person cannot start another sign-in or another attempt to connect. */
export const TOO_MANY_UNFINISHED = {
  signIns: 'Your network has too many unfinished sign-ins. If one is open in another tab, continue there.',
  connects:
    'You have too many unfinished attempts to connect. Each one counts for ten minutes. If one is open in another tab, continue there.',
} as const;

/** The text of an error. @param tooMany the text of RATE_LIMITED, which adds how long to wait */
export function describeRefusal(
  { code, retryAfterSeconds = 60 }: Pick<api.ServiceError, 'code' | 'retryAfterSeconds'>,
  tooMany: string = ERROR_TEXTS.RATE_LIMITED,
): string {
  return code === 'RATE_LIMITED' ? `${tooMany} Try again in ${formatWait(retryAfterSeconds)}.` : ERROR_TEXTS[code];
}

function formatWait(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return count < 2 ? `a ${unit}` : `${count} ${unit}s`;
}

/** Puts the platform's name into a text. Without one, for an account that was never stored, it is "the platform". */
export function nameIn(text: string, provider: api.SocialProvider | undefined): string {
  const named = text
    .replaceAll('{platform}', provider === undefined ? 'the platform' : PROVIDERS[provider].name)
    .replaceAll('{eraseDays}', String(provider === undefined ? 90 : PROVIDERS[provider].eraseDays));
  return named.charAt(0).toUpperCase() + named.slice(1);
}

const describeBy =
  (otherwise: string, texts: Texts<string>) =>
  (code: string | null | undefined, provider: api.SocialProvider | undefined) =>
    nameIn(texts[code ?? ''] ?? otherwise, provider);

/** Why an attempt to connect ended, by `resultCode`. */
export const describeResult = describeBy('We could not connect the account. Please try again.', {
  ACCESS_DENIED: 'You did not allow access. Nothing was connected.',
  MISSING_PERMISSION: 'You allowed none of the permissions you chose. Nothing was connected.',
  ACCOUNT_UNUSABLE: 'The account has nothing that we could read. Nothing was connected.',
  PARTIAL_PERMISSION: 'Connected, but some permissions are missing.',
  ACCOUNT_MISMATCH:
    'You chose a different account from the one to reconnect. Choose the same account, or connect the other one as a new account.',
  ACCOUNT_DISCONNECTING: 'We are still disconnecting an account of yours at {platform}. Try again when that is done.',
  EXCHANGE_FAILED: '{platform} did not complete the connection. Please try again.',
  CLIENT_REFUSED:
    '{platform} does not accept our service, or not for this account. Trying again does not help. We have been notified.',
  PROVIDER_UNAVAILABLE: '{platform} is not available at the moment. Please try again later.',
  INTERNAL: 'Something went wrong on our side. Please try again.',
  REGISTRATION_PAUSED: 'Connecting accounts at {platform} is paused. Please try again later.',
  POLICY_CHANGED: 'Our service no longer allows these permissions. Nothing was connected.',
  EXPIRED: 'The attempt took longer than ten minutes. Please start again.',
  CANCELED:
    'The attempt was canceled because you started another one or disconnected the account. It connected nothing.',
});

/** Help for a person whose account has nothing to connect. */
export const UNUSABLE_ACCOUNTS: Texts<api.SocialProvider> = {
  PROVIDER_A:
    'This Google account has no YouTube channel. Create one at YouTube, or try again and choose the Google account that has the channel.',
  PROVIDER_B: 'TikTok does not let us read this account. Try again with another account.',
  PROVIDER_C:
    'Instagram lets us read professional accounts only. In its app, switch to a professional account (Business or Creator) under “Account type and tools”, then try again.',
};

/** Why a job failed or waits for a retry, by `errorCode`. */
export const describeJobError = describeBy('The request failed.', {
  PROVIDER_UNAVAILABLE: '{platform} is not available at the moment.',
  PROVIDER_RATE_LIMITED: '{platform} limits our requests at the moment.',
  RECONNECT_REQUIRED: 'The permission has expired or was revoked. Reconnect the account.',
  CAPABILITY_UNAVAILABLE: 'A permission is missing.',
  ACCOUNT_UNUSABLE:
    '{platform} no longer lets us read this account: it was closed, or it is no longer a professional account.',
  ACCOUNT_MISMATCH: '{platform} sent data of another account. We have stored none of it. Reconnect the account.',
  AUTHORIZATION_SUSPENDED: 'Access to {platform} is paused.',
  CONTENT_NOT_FOUND: 'This account has no such post, or the post was deleted.',
  UNSUPPORTED_URL: 'This is not the URL of a post. Copy the URL from the page of the post.',
  CONNECTION_DISCONNECTED: 'The account was disconnected in the meantime.',
  PROVIDER_CONTRACT: '{platform} sent an answer that we do not understand. We have been notified.',
  INTERNAL: 'Something went wrong on our side. We have been notified.',
});

const NOT_AMONG_NEWEST =
  '{platform} lets us search only the newest posts of this account, and the post is not among them.';

/** Why a lookup that the platform cut short has found no post. */
export const describeLookupLimit = (provider: api.SocialProvider | undefined) => nameIn(NOT_AMONG_NEWEST, provider);

/** Why posts may be missing, by `incompleteReason` of a page of posts or of a scan. */
export const describeIncomplete = describeBy('Posts of this period may be missing.', {
  NEVER_SCANNED: 'We have not read this period yet.',
  SCAN_RUNNING: 'We are reading this period now; more posts may appear.',
  SCAN_STALE: 'We last read this period more than a day ago. Newer posts and metrics may be missing.',
  SCAN_FAILED: 'The last refresh failed. Posts may be missing.',
  PARTLY_SCANNED: 'We have read only part of this period. Posts may be missing.',
  MAX_ITEMS: 'We read up to 100 posts at a time, and there are more.',
  PROVIDER_LIMIT: '{platform} does not return more posts than these.',
  PROVIDER_UNAVAILABLE: '{platform} was no longer available before we had read all posts.',
});

/** Why a capability, a metric or a post is not available. */
export const describeReason = describeBy('Not available.', {
  PERMISSION_WITHDRAWN: 'You removed this permission at {platform}. Reconnect to allow it again.',
  PERMISSION_NOT_GRANTED: 'You did not grant this permission.',
  NOT_OFFERED_BY_PROVIDER: '{platform} does not offer this metric.',
  NOT_OFFERED_FOR_POST: 'Not available for this type of post.',
  HIDDEN_BY_OWNER: 'Hidden in the settings of the account or post.',
  COMMENTS_OFF: 'Comments are turned off.',
  NO_DATA_YET: 'No data yet.',
  TOO_FEW_VIEWERS: '{platform} hides this metric when there are too few viewers.',
  BEFORE_PROFESSIONAL_ACCOUNT: 'The post was published before the account became a professional account.',
  NOT_SHOWN: '{platform} did not return a value.',
  CONTENT_NOT_FOUND: '{platform} no longer shows this post.',
  EXPIRED: 'We last read this more than 30 days ago and no longer store it.',
});
