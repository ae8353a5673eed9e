import type { ProviderName } from '../../src/basics/codes.ts';

/** Behaviours of one section, each with the reason at a provider to which it does not apply. */
type Section = Readonly<Record<string, Partial<Readonly<Record<ProviderName, string>>>>>;

const NO_REVOKE = 'it has no revoke; the service asks the person to remove the app.';
const NO_CALLBACKS = 'it has no callbacks; upkeep detects the removal.';
const ID_IN_URL = 'the URL has the id: one call.';

/** Every behaviour of the platforms that an adapter must handle. */
export const BY_PROVIDER = {
  Connecting: {
    'Authorize parameters': {},
    PKCE: { PROVIDER_C: 'the platform documents no challenge, and gets none.' },
    'Callback: code, refusal, peculiarities': {},
    'Code exchange: tokens, expiries, permissions, principal': {},
    'Wire format of every request, from consent to profile': {},
    'A code that is used twice': {},
    'A lost answer to an exchange': {},
    'An exchange that leaves an unusable grant': { PROVIDER_B: 'its only answer has everything.' },
    'Permissions that the person did not grant': {},
    Profile: {},
    'An unusable account': {},
  },
  Grants: {
    Refresh: {},
    Rotation: {},
    'An answer without a refresh token: the old one is kept': { PROVIDER_C: 'it has only an access token.' },
    'A lost answer to a refresh': {},
    'Too early, or too late, to refresh': {
      PROVIDER_A: 'a refresh token works at any time.',
      PROVIDER_B: 'a refresh token works at any time before its end.',
    },
    'The person has removed the app': {},
    'Revoke with the right token': {},
    'A grant that is already revoked': { PROVIDER_C: NO_REVOKE },
    'Failures during a revoke': { PROVIDER_C: NO_REVOKE },
    'Other grants that a revoke ends': { PROVIDER_C: NO_REVOKE },
  },
  'Notifications from platforms': {
    'Removal or deauthorization': { PROVIDER_A: NO_CALLBACKS },
    'Deletion request, its code and page': { PROVIDER_A: NO_CALLBACKS, PROVIDER_B: 'it sends no such request.' },
    'Forged notifications, or wrong signatures': { PROVIDER_A: NO_CALLBACKS },
    'Late notifications': { PROVIDER_A: NO_CALLBACKS },
    'Replayed notifications': { PROVIDER_A: NO_CALLBACKS },
    'A notification of our own revoke': { PROVIDER_A: NO_CALLBACKS, PROVIDER_C: NO_REVOKE },
    'Ids beyond 2^53, as text or number': { PROVIDER_A: NO_CALLBACKS },
  },
  Listing: {
    'Exactly the posts of a window': {},
    'Every kind of account, to its end': {},
    'Order, and old posts among new ones': {},
    'Edges of the window': {},
    'Invalid and stuck cursors': {},
    'A list that changes between two calls, and calls that fail': {},
    'Short, empty and missing pages': {},
    'The provider’s own limit of a listing': { PROVIDER_B: 'it documents no limit.' },
    'Refused fields': { PROVIDER_A: 'it refuses no fields.' },
  },
  Posts: {
    'Batches by id, and posts missing from their answers': {},
    'One bad id in a batch': { PROVIDER_A: 'it omits bad ids.', PROVIDER_B: 'it omits bad ids.' },
    'Deleted, private and scheduled posts': {},
    'Metrics, with their source': {},
    'Metrics to the last digit, and why one is missing': {},
    'A missing metric is not zero': {},
    'Metrics that are refused or not granted': {
      PROVIDER_A: 'one permission covers them all.',
      PROVIDER_B: 'one permission covers them all.',
    },
    Kind: {},
    'Canonical URL': {},
    'Title, description, thumbnail': {},
  },
  'Lookup by URL': {
    'Every form': {},
    'URLs of no post': {},
    'Short links, along an allow-list': { PROVIDER_A: 'its short links carry the id.' },
    'A foreign post, or a deleted one': {},
    'A post that was read before': { PROVIDER_A: ID_IN_URL, PROVIDER_B: ID_IN_URL },
    'A search with a limit': { PROVIDER_A: ID_IN_URL, PROVIDER_B: ID_IN_URL },
  },
  'Calls and limits': {
    'The number of calls of every flow': {},
    'The latest 100 posts': {},
    'A used-up daily quota': { PROVIDER_B: 'it has only limits per minute.' },
    'A rate limit and its delay': {},
  },
  'Errors by meaning': {
    'A used-up quota: waits for its reset': {
      PROVIDER_B: 'it has no daily quota.',
      PROVIDER_C: 'its budgets are per account: see the limits.',
    },
    'A limit: retry later': {},
    'A failure of the platform: retry later': {},
    'A stale access token: refresh once, repeat once': {
      PROVIDER_C: 'its only token is long-lived: see a dead grant.',
    },
    'A dead grant': {},
    'A missing permission': {},
    'A grant without an account': { PROVIDER_B: 'every account can be read.' },
    'Not found or private': { PROVIDER_B: 'it reports no error: the answer omits the post.' },
    'An invalid request of ours': {},
    'A mistake in our setup': { PROVIDER_B: 'its API has no such error.' },
    'A request that does not match its code: only that attempt fails': {},
    'A refused client (invalid_client and similar): no grant ends': {},
    'OAuth errors: all of them': {},
    'Unknown codes and shapes: retried or broken, never the end of a grant': {},
    'Broken answers: 5xx, 429, truncated, lost, malformed, another content type': {},
  },
} as const satisfies Readonly<Record<string, Section>>;

/** Behaviours of code that serves all providers. */
export const SHARED = {
  'Grants under load and after crashes': [
    '50 users of one expired token over two workers: one refresh',
    'A crash at any step between rotation and storage',
    'A crash while a revoke refreshes or revokes',
    'A lost refresh has its own state, which ends after a limited time',
    'A refused client: calls stop, operators are informed, no grant ends',
    'A used-up quota parks the registration’s reads until it resets',
    'Upkeep: before anything expires, spread out, with a pause after failures',
    'Callers and operators see the time of the next attempt',
  ],
  Siblings: [
    'A compensating revoke is not sent if it would end another live grant',
    'All connections of the principal are verified after every revoke',
    'A grant that arrives late does not outlive a revoke',
  ],
  Retention: [
    'Posts and profiles: 30 days',
    'After a disconnect: posts and profile at once, the rest with the erase',
    'Attempts, jobs, receipts, kept tokens, dead grants, coverage',
  ],
  'Sign-ins at any OpenID issuer': [
    'Checks of the id_token',
    'Signing keys: cached, rotated, not requested for every token',
    'Optional claims, and userinfo',
    'Refusals and outages',
  ],
  'Outgoing calls': [
    'A hanging answer',
    'A slow answer',
    'A connection reset',
    'An oversized answer',
    'Redirects',
    'Cancellation',
    'Secrets',
    'Non-public addresses, and plain http',
    'The OpenID client uses the same HTTP client',
  ],
} as const;

type Sections = typeof BY_PROVIDER;
/** A behaviour's name. It is unique across the sections. */
export type Behaviour =
  | { [S in keyof Sections]: keyof Sections[S] }[keyof Sections]
  | (typeof SHARED)[keyof typeof SHARED][number];
