import type {
  Availability,
  Capability,
  ConnectionStatus,
  ContentKind,
  MetricName,
  SocialProvider,
} from './generated/service.ts';
import type { ErrorCode } from './service.ts';

// What people read for everything the service can say. A code that is not here is one that came later: each table has
// words to fall back on.

export const PROVIDERS: Readonly<Record<SocialProvider, { name: string; slug: string; about: string }>> = {
  PROVIDER_A: { name: 'Provider A', slug: 'a', about: 'Videos of a channel' },
  PROVIDER_B: { name: 'Provider B', slug: 'b', about: 'Short videos and photos' },
  PROVIDER_C: { name: 'Provider C', slug: 'c', about: 'Pictures, reels and carousels' },
};

export const CAPABILITIES: Readonly<Record<Capability, { name: string; about: string }>> = {
  PROFILE: { name: 'Profile', about: 'Name, picture and description of the account' },
  CONTENT_LIST: { name: 'Posts', about: 'The list of what the account has published' },
  CONTENT_LOOKUP: { name: 'Finding a post', about: 'One post by the address of its page' },
  CONTENT_METRICS: { name: 'Numbers', about: 'Views, likes, comments and shares of posts' },
};

export const METRICS: Readonly<Record<MetricName, string>> = {
  VIEWS: 'Views',
  LIKES: 'Likes',
  COMMENTS: 'Comments',
  SHARES: 'Shares',
};

export const KINDS: Readonly<Record<ContentKind, string>> = {
  VIDEO: 'Video',
  IMAGE: 'Image',
  CAROUSEL: 'Carousel',
  UNKNOWN: 'Post',
};

export type Mood = 'good' | 'wait' | 'bad';

export const CONNECTION_STATUS: Readonly<Record<ConnectionStatus, { mood: Mood; name: string; about: string }>> = {
  CONNECTED: { mood: 'good', name: 'Connected', about: '' },
  SUSPENDED: {
    mood: 'wait',
    name: 'On hold',
    about:
      'Another account of yours at the same provider is being disconnected. This one goes on by itself once that is done.',
  },
  RECONNECT_REQUIRED: {
    mood: 'bad',
    name: 'Reconnect needed',
    about: 'The permission has ended. Connect the account again, and everything stays as it was.',
  },
  DISCONNECTED: {
    mood: 'wait',
    name: 'Disconnecting',
    about: 'Access has stopped. The permission is being given back.',
  },
  DELETING: { mood: 'wait', name: 'Erasing', about: 'Access has stopped. The last of its data is being erased.' },
};

export const AVAILABILITY: Readonly<Record<Availability, { mood: Mood; name: string }>> = {
  AVAILABLE: { mood: 'good', name: 'Available' },
  UNSUPPORTED: { mood: 'wait', name: 'Not offered' },
  NOT_GRANTED: { mood: 'bad', name: 'Not allowed' },
  UNAVAILABLE: { mood: 'wait', name: 'Not available' },
};

interface ErrorWords {
  readonly status: 400 | 403 | 404 | 409 | 429 | 502 | 503;
  readonly title: string;
  readonly text: string;
}

/** For each error code: the HTTP status of our own page, and what it says. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorWords>> = {
  UNAUTHENTICATED: {
    status: 502,
    title: 'We cannot reach our data service',
    text: 'This is ours to put right: our own access needs to be renewed. Please try again later.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'This is not possible at the moment',
    text: 'If you have just disconnected an account at this provider, wait until that is finished and try again. Otherwise it is not open to us.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'This is not here any more',
    text: 'It was removed, or it has run its course.',
  },
  BAD_USER_INPUT: {
    status: 400,
    title: 'That did not work',
    text: 'Something about what was asked for is not right. Check it and try again.',
  },
  AUTHORIZATION_SUSPENDED: {
    status: 503,
    title: 'On hold for the moment',
    text: 'Access to this provider is paused. Nothing is lost, and there is nothing for you to do: try again later.',
  },
  RECONNECT_REQUIRED: {
    status: 409,
    title: 'This account has to be connected again',
    text: 'The permission you gave has ended. Connect the account again, and everything stays as it was.',
  },
  CAPABILITY_UNAVAILABLE: {
    status: 409,
    title: 'This cannot be read from this account',
    text: 'The account was connected without it, or it is not offered here at present.',
  },
  DISCONNECT_IN_PROGRESS: {
    status: 409,
    title: 'This account is being disconnected',
    text: 'Access has stopped. Once that is finished you can connect it anew.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'A little too much at once',
    text: 'Too many requests are under way.',
  },
  SYNC_WINDOW_BUSY: {
    status: 409,
    title: 'We are reading already',
    text: 'Posts of another range are being read from this account. Wait until that is done, then try again.',
  },
  UPSTREAM_UNAVAILABLE: {
    status: 502,
    title: 'Our data service does not answer',
    text: 'This is not your doing. Please try again in a moment.',
  },
};

/** What somebody reads who cannot begin another sign-in, or another try to connect, in place of the text above. */
export const TOO_MANY = {
  signIns: 'Sign-ins that were begun from your network are not finished. If one is open in another tab, go on there.',
  connects:
    'Each try to connect that is not finished counts for ten minutes. If one is open in another tab, go on there.',
} as const;

/** What a refusal says, with the time to wait where it is one of too many; `text` in place of the code's own. */
export function refusalText(
  { code, retryAfterSeconds = 60 }: { code: ErrorCode; retryAfterSeconds?: number | undefined },
  text: string = ERRORS[code].text,
) {
  return code === 'RATE_LIMITED' ? `${text} Try again in ${waitWords(retryAfterSeconds)}.` : text;
}

function waitWords(seconds: number): string {
  if (seconds < 2) return 'a second';
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/** Why a try to connect ended as it did, by `resultCode`. */
const RESULTS: Readonly<Record<string, string>> = {
  ACCESS_DENIED: 'You chose not to allow it. Nothing was connected.',
  MISSING_PERMISSION:
    'None of what you had chosen was allowed, or the account could not be read. Nothing was connected.',
  PARTIAL_PERMISSION: 'Connected, with less than you had chosen. Reconnect to allow the rest.',
  ACCOUNT_MISMATCH:
    'You came back with another account than the one to reconnect. Choose the same account, or connect the other one as new.',
  ACCOUNT_DISCONNECTING:
    'An account of yours at this provider is still being disconnected. Try again once that is done.',
  EXCHANGE_FAILED: 'The provider did not complete the connection. Please try again.',
  PROVIDER_UNAVAILABLE: 'The provider did not answer. Please try again later.',
  REGISTRATION_PAUSED: 'Connecting accounts at this provider is paused. Please try again later.',
  POLICY_CHANGED: 'What you had chosen is not open to us any more. Nothing was connected.',
  EXPIRED: 'It took longer than ten minutes. Please start again.',
  CANCELED: 'It was called off, because you began anew elsewhere or disconnected the account. Nothing was connected.',
};
export const resultWords = (code: string | null): string =>
  (code === null ? undefined : RESULTS[code]) ?? 'It could not be finished. Please try again.';

/** Why a job failed or waits, by `errorCode`. */
const JOB_ERRORS: Readonly<Record<string, string>> = {
  PROVIDER_UNAVAILABLE: 'The provider does not answer.',
  PROVIDER_RATE_LIMITED: 'The provider has asked us to slow down. Try again later.',
  RECONNECT_REQUIRED: 'The permission has ended: the account has to be connected again.',
  CAPABILITY_UNAVAILABLE: 'The permission this takes is missing.',
  AUTHORIZATION_SUSPENDED: 'Access to this provider is paused.',
  CONTENT_NOT_FOUND: 'There is no such post in this account, or it is not there any more.',
  UNSUPPORTED_URL: 'This is not the address of a post we can look up. Copy it from the page of the post itself.',
  CONNECTION_DISCONNECTED: 'The account was disconnected meanwhile.',
  PROVIDER_CONTRACT: 'The provider answered in a way we do not understand. We have been told.',
  INTERNAL: 'Something went wrong on our side. We have been told.',
};
export const jobErrorWords = (code: string | null): string =>
  (code === null ? undefined : JOB_ERRORS[code]) ?? 'It could not be done.';

/** Why what is shown may not be all there is, by `incompleteReason` of a page of posts or of a scan. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  NEVER_SCANNED: 'These days have not been read yet.',
  SCAN_RUNNING: 'These days are being read right now; more posts may turn up.',
  SCAN_STALE: 'It is more than a day since these days were read. Newer posts and numbers may be missing.',
  SCAN_FAILED: 'The last reading did not succeed. Posts may be missing.',
  PARTLY_SCANNED: 'Only a part of these days has been read so far. Posts may be missing.',
  MAX_ITEMS: 'We read up to 100 posts in one go, and there are more.',
  PROVIDER_LIMIT: 'The provider does not give us any more posts than these.',
  PROVIDER_UNAVAILABLE: 'The provider stopped answering before we were through.',
};
export const incompleteWords = (reason: string | null): string =>
  (reason === null ? undefined : INCOMPLETE[reason]) ?? 'Not all posts of these days may be here.';

/** Why a capability, a metric or a post is not available. */
const REASONS: Readonly<Record<string, string>> = {
  PERMISSION_WITHDRAWN: 'You have withdrawn this at the provider. Reconnect to allow it again.',
  PERMISSION_NOT_GRANTED: 'Not allowed when the account was connected.',
  NOT_OFFERED_BY_PROVIDER: 'The provider does not give this number.',
  NOT_OFFERED_FOR_POST: 'Not counted for this kind of post.',
  HIDDEN_BY_OWNER: 'Hidden in the settings of the account or post.',
  COMMENTS_OFF: 'Comments are turned off.',
  NO_DATA_YET: 'Not counted yet.',
  TOO_FEW_VIEWERS: 'The provider does not say when there are only a few viewers.',
  BEFORE_PROFESSIONAL_ACCOUNT: 'The post is older than the change to a professional account.',
  NOT_SHOWN: 'The provider did not say.',
  CONTENT_NOT_FOUND: 'The provider does not show this post any more.',
  EXPIRED: 'It is over 30 days since this was read, so we do not keep it.',
};
export const reasonWords = (reason: string | null): string =>
  (reason === null ? undefined : REASONS[reason]) ?? 'Not available at present.';
