import type {
  Availability,
  Capability,
  Connection,
  ConnectionStatus,
  ContentKind,
  ErrorCode,
  MetricName,
  SocialProvider,
  SyncJob,
} from 'social-account-connection-client';

// The texts that people read for each code of the service. Newer services may send more codes, so each table has a
// fallback text.

type Texts<Code extends string, Text = string> = Readonly<Record<Code, Text>>;

export const PROVIDERS: Texts<SocialProvider, { name: string; slug: string; about: string }> = {
  PROVIDER_A: { name: 'YouTube', slug: 'a', about: 'Videos of a channel' },
  PROVIDER_B: { name: 'TikTok', slug: 'b', about: 'Short videos and photos' },
  PROVIDER_C: { name: 'Instagram', slug: 'c', about: 'Pictures, reels and carousels' },
};
export const getAccountName = ({ profile, provider }: Pick<Connection, 'provider' | 'profile'>): string =>
  profile?.displayName ?? profile?.handle ?? `Account at ${PROVIDERS[provider].name}`;
export const ALL_PROVIDERS = Object.keys(PROVIDERS) as SocialProvider[];

export const CAPABILITIES: Texts<Capability, { name: string; about: string }> = {
  PROFILE: { name: 'Profile', about: 'Name, picture and description of the account' },
  CONTENT_LIST: { name: 'Posts', about: 'The posts that the account has published' },
  CONTENT_LOOKUP: { name: 'Look up a post by URL', about: 'One post, found by the URL of its page' },
  CONTENT_METRICS: { name: 'Metrics', about: 'Views, likes, comments and shares of posts' },
};
export const ALL_CAPABILITIES = Object.keys(CAPABILITIES) as Capability[];

export const METRICS: Texts<MetricName> = { VIEWS: 'Views', LIKES: 'Likes', COMMENTS: 'Comments', SHARES: 'Shares' };
export const ALL_METRICS = Object.keys(METRICS) as MetricName[];

export const KINDS: Texts<ContentKind> = { VIDEO: 'Video', IMAGE: 'Image', CAROUSEL: 'Carousel', UNKNOWN: 'Post' };

export type Mood = 'good' | 'wait' | 'bad';

export const CONNECTION_STATUS: Texts<ConnectionStatus, { mood: Mood; name: string; about: string }> = {
  CONNECTED: { mood: 'good', name: 'Connected', about: '' },
  SUSPENDED: {
    mood: 'wait',
    name: 'On hold',
    about:
      'We are disconnecting another account of yours at this provider. This account resumes when that is done. You need not do anything.',
  },
  RECONNECT_REQUIRED: {
    mood: 'bad',
    name: 'Reconnect needed',
    about: 'The permission has expired or was revoked. Reconnect the account; your posts and metrics are kept.',
  },
  DISCONNECTED: {
    mood: 'wait',
    name: 'Disconnecting',
    about: 'Access has stopped. We are revoking the permission.',
  },
  DELETING: { mood: 'wait', name: 'Erasing', about: 'Access has stopped. We are erasing the remaining data.' },
};

export const AVAILABILITY: Texts<Availability, { mood: Mood; name: string }> = {
  AVAILABLE: { mood: 'good', name: 'Available' },
  UNSUPPORTED: { mood: 'wait', name: 'Not offered' },
  NOT_GRANTED: { mood: 'bad', name: 'Not granted' },
  UNAVAILABLE: { mood: 'wait', name: 'Not available' },
};

const error = (status: 400 | 403 | 404 | 409 | 429 | 502 | 503, title: string, text: string) => ({
  status,
  title,
  text,
});

/** The HTTP status, title and text of the page that each error code leads to. */
export const ERRORS: Texts<ErrorCode, ReturnType<typeof error>> = {
  UNAUTHENTICATED: error(
    502,
    'We cannot reach our data service',
    'Our own access to the service is not valid. We have to fix this. Please try again later.',
  ),
  FORBIDDEN: error(
    403,
    'Temporarily unavailable',
    'If you have just disconnected an account at this provider, wait until that is finished and try again. Otherwise our service does not allow this.',
  ),
  NOT_FOUND: error(404, 'Not found', 'It does not exist, or it was removed or has expired.'),
  BAD_USER_INPUT: error(400, 'That did not work', 'The request is not valid. Check your input and try again.'),
  AUTHORIZATION_SUSPENDED: error(
    503,
    'Paused',
    'Access to this provider is paused. Your data is kept. Please try again later.',
  ),
  RECONNECT_REQUIRED: error(
    409,
    'Reconnect this account',
    'The permission has expired or was revoked. Reconnect the account; your posts and metrics are kept.',
  ),
  CAPABILITY_UNAVAILABLE: error(
    409,
    'Permission missing',
    'The account was connected without this permission, or it is not available at the moment.',
  ),
  DISCONNECT_IN_PROGRESS: error(
    409,
    'This account is being disconnected',
    'Access has stopped. You can connect the account again when this is finished.',
  ),
  RATE_LIMITED: error(429, 'Too many attempts', 'There are too many requests at the moment.'),
  SYNC_WINDOW_BUSY: error(
    409,
    'Already reading',
    'We are reading posts of another period from this account. Wait until that is done, then try again.',
  ),
  UPSTREAM_UNAVAILABLE: error(
    502,
    'Service unavailable',
    'Our data service does not answer. Please try again in a moment.',
  ),
};

/** Replace the text of RATE_LIMITED when a person cannot start another sign-in or another attempt to connect. */
export const TOO_MANY_UNFINISHED = {
  signIns: 'Your network has too many unfinished sign-ins. If one is open in another tab, continue there.',
  connects:
    'You have too many unfinished attempts to connect. Each one counts for ten minutes. If one is open in another tab, continue there.',
} as const;

/** The text of an error; RATE_LIMITED adds how long to wait. @param text replaces the text of the code. */
export function describeRefusal(
  { code, retryAfterSeconds = 60 }: { code: ErrorCode; retryAfterSeconds?: number | undefined },
  text: string = ERRORS[code].text,
) {
  return code === 'RATE_LIMITED' ? `${text} Try again in ${formatWait(retryAfterSeconds)}.` : text;
}

function formatWait(seconds: number): string {
  if (seconds < 2) return 'a second';
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

const describeBy =
  (otherwise: string, texts: Texts<string>) =>
  (code: string | null | undefined): string =>
    texts[code ?? ''] ?? otherwise;

/** Why an attempt to connect ended, by `resultCode`. */
export const describeResult = describeBy('We could not connect the account. Please try again.', {
  ACCESS_DENIED: 'You did not allow access. Nothing was connected.',
  MISSING_PERMISSION:
    'You allowed none of the permissions you chose, or we could not read the account. Nothing was connected.',
  PARTIAL_PERMISSION: 'Connected, but some permissions are missing.',
  ACCOUNT_MISMATCH:
    'You chose a different account from the one to reconnect. Choose the same account, or connect the other one as a new account.',
  ACCOUNT_DISCONNECTING:
    'We are still disconnecting an account of yours at this provider. Try again when that is done.',
  EXCHANGE_FAILED: 'The provider did not complete the connection. Please try again.',
  PROVIDER_UNAVAILABLE: 'The provider did not answer. Please try again later.',
  REGISTRATION_PAUSED: 'Connecting accounts at this provider is paused. Please try again later.',
  POLICY_CHANGED: 'Our service no longer allows these permissions. Nothing was connected.',
  EXPIRED: 'The attempt took longer than ten minutes. Please start again.',
  CANCELED:
    'The attempt was canceled because you started another one or disconnected the account. It connected nothing.',
});

/** Why a job failed or waits for a retry, by `errorCode`. */
export const describeJobError = describeBy('The request failed.', {
  PROVIDER_UNAVAILABLE: 'The provider does not answer.',
  PROVIDER_RATE_LIMITED: 'The provider limits how often we may read. Try again later.',
  RECONNECT_REQUIRED: 'The permission has expired or was revoked. Reconnect the account.',
  CAPABILITY_UNAVAILABLE: 'A permission is missing.',
  AUTHORIZATION_SUSPENDED: 'Access to this provider is paused.',
  CONTENT_NOT_FOUND: 'This account has no such post, or the post was deleted.',
  UNSUPPORTED_URL: 'This is not the URL of a post. Copy the URL from the page of the post.',
  CONNECTION_DISCONNECTED: 'The account was disconnected in the meantime.',
  PROVIDER_CONTRACT: 'The provider sent an answer that we do not understand. We have been notified.',
  INTERNAL: 'Something went wrong on our side. We have been notified.',
});

/** Why a lookup has found no post. */
export const describeLookupFailure = ({ errorCode, incompleteReason }: SyncJob): string =>
  incompleteReason === 'PROVIDER_LIMIT'
    ? 'The provider lets us search only the newest posts of this account, and the post is not among them.'
    : describeJobError(errorCode);

/** Why posts may be missing, by `incompleteReason` of a page of posts or of a scan. */
export const describeIncomplete = describeBy('Posts of this period may be missing.', {
  NEVER_SCANNED: 'We have not read this period yet.',
  SCAN_RUNNING: 'We are reading this period now; more posts may appear.',
  SCAN_STALE: 'We last read this period more than a day ago. Newer posts and metrics may be missing.',
  SCAN_FAILED: 'The last refresh failed. Posts may be missing.',
  PARTLY_SCANNED: 'We have read only part of this period. Posts may be missing.',
  MAX_ITEMS: 'We read up to 100 posts at a time, and there are more.',
  PROVIDER_LIMIT: 'The provider does not return more posts than these.',
  PROVIDER_UNAVAILABLE: 'The provider stopped answering before we had read all posts.',
});

/** Why a capability, a metric or a post is not available. */
export const describeReason = describeBy('Not available.', {
  PERMISSION_WITHDRAWN: 'You removed this permission at the provider. Reconnect to allow it again.',
  PERMISSION_NOT_GRANTED: 'You did not grant this permission.',
  NOT_OFFERED_BY_PROVIDER: 'The provider does not offer this metric.',
  NOT_OFFERED_FOR_POST: 'Not available for this type of post.',
  HIDDEN_BY_OWNER: 'Hidden in the settings of the account or post.',
  COMMENTS_OFF: 'Comments are turned off.',
  NO_DATA_YET: 'No data yet.',
  TOO_FEW_VIEWERS: 'The provider hides this metric when there are too few viewers.',
  BEFORE_PROFESSIONAL_ACCOUNT: 'The post was published before the account became a professional account.',
  NOT_SHOWN: 'The provider did not return a value.',
  CONTENT_NOT_FOUND: 'The provider no longer shows this post.',
  EXPIRED: 'We last read this more than 30 days ago and no longer store it.',
});
