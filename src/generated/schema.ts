// Generated from schema.graphql by `npm run codegen`; do not edit.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Context, PublicContext } from '../api/context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /**
   * An instant as an ISO 8601 date-time with a zone, such as `2026-01-31T09:30:00.000Z`. Taken with any offset (`Z`, `+02:00`,
   * `+0200` or `+02`), without seconds or with up to nine digits of one, of which three are kept; given in UTC with
   * milliseconds.
   */
  DateTime: { input: Date; output: Date; }
  /** A non-negative integer of any size, as a string of decimal digits. */
  DecimalCount: { input: string; output: string; }
};

/** A social platform. */
export type SocialProvider =
  /** The first provider. Its account id is a channel ID. */
  | 'PROVIDER_A'
  /** The second provider. Its account id is an open_id. */
  | 'PROVIDER_B'
  /** The third provider. Its account id is a user ID. */
  | 'PROVIDER_C';

/** What a connection may be read for. */
export type Capability =
  /** Read the account's profile. */
  | 'PROFILE'
  /** Scan the account's posts, and list those stored. */
  | 'CONTENT_LIST'
  /** Look up one post by its URL. */
  | 'CONTENT_LOOKUP'
  /** Read the metrics of stored posts. */
  | 'CONTENT_METRICS';

/** Whether something can be had, and if not, whose doing that is. */
export type Availability =
  /** It can be had. */
  | 'AVAILABLE'
  /** The provider does not offer it. */
  | 'UNSUPPORTED'
  /** The person has not granted it, or has withdrawn it. */
  | 'NOT_GRANTED'
  /** It cannot be had at present, or not any more. */
  | 'UNAVAILABLE';

/** What a metric counts. */
export type MetricName =
  /** Times the post was viewed. */
  | 'VIEWS'
  /** Likes of the post. */
  | 'LIKES'
  /** Comments on the post. */
  | 'COMMENTS'
  /** Times the post was shared. */
  | 'SHARES';

/** What a post is made of. */
export type ContentKind =
  /** A video. */
  | 'VIDEO'
  /** One image. */
  | 'IMAGE'
  /** Several images or videos in one post. */
  | 'CAROUSEL'
  /** Not known, or a kind of its own. */
  | 'UNKNOWN';

/** Something the owner of the account has to do by hand. */
export type ConnectCreatorAction =
  /** Remove the app in the account's settings at the provider: the grant may still exist there. */
  | 'REMOVE_APP_AT_PROVIDER';

/** How far a Connect attempt has come. The first three are unfinished. */
export type ConnectSessionStatus =
  /** Waits for the browser to post the launch token. */
  | 'CREATED'
  /** The person is at the provider. */
  | 'AUTHORIZING'
  /** The person has come back; the grant is being collected. */
  | 'EXCHANGING'
  /** There is a connection; its id is `connectionId`. */
  | 'COMPLETED'
  /** The person or the provider said no. */
  | 'DENIED'
  /** It could not be finished; `resultCode` says why. */
  | 'FAILED'
  /** It was not finished within 10 minutes of its creation. */
  | 'EXPIRED'
  /** It was called off; `resultCode` says why. */
  | 'CANCELED';

/** Whether a connection can be used. */
export type ConnectionStatus =
  /** It works. */
  | 'CONNECTED'
  /** On hold until a disconnect that may have ended its grant too has settled. */
  | 'SUSPENDED'
  /** Its grant has ended. Connect again, naming it as `reconnectConnectionId`. */
  | 'RECONNECT_REQUIRED'
  /** Access has stopped. The grant is being revoked. */
  | 'DISCONNECTED'
  /** The last of its data is being erased. */
  | 'DELETING';

/** How fresh what we hold of a connection's posts is. */
export type SyncStatus =
  /** Not yet scanned. */
  | 'PENDING'
  /** A scan is running, or waits for its next try at `nextRetryAt`. */
  | 'RUNNING'
  /** The last scan reached its end, or there is nothing to scan: the connection lacks CONTENT_LIST. */
  | 'READY'
  /** The last scan ended before its window did. */
  | 'PARTIAL'
  /** `lastSuccessfulSyncAt` is 24 hours ago or longer. */
  | 'STALE'
  /** The last scan failed, and is not tried again unasked. */
  | 'FAILED';

/** How far a job has come. The last three are final. */
export type JobStatus =
  /** Not yet started. */
  | 'QUEUED'
  /** Under way, or waiting for its next try. */
  | 'RUNNING'
  /** It did what was asked. */
  | 'SUCCEEDED'
  /** It gave up; `errorCode` says why. */
  | 'FAILED'
  /** It was called off. */
  | 'CANCELED';

/** How far a sign-in has come. */
export type IdpIdentityStatus =
  /** Not finished. Redeeming now does not spend the proof. */
  | 'PENDING'
  /** The person signed in. */
  | 'COMPLETED'
  /** The person or the identity provider said no. */
  | 'DENIED'
  /** It could not be finished. */
  | 'FAILED'
  /** It was not finished within 10 minutes of its creation. */
  | 'EXPIRED';

/**
 * Whose account it is, in your own words. Derive both values on your server from your own signed-in session, never from
 * what a browser sends: they are trusted as sent.
 */
export type SubjectScope = {
  /** One of the tenant keys registered for your app. 1 to 128 characters. */
  tenantKey: Scalars['String']['input'];
  /** Your own id of the user within the tenant. 1 to 128 characters. */
  externalSubjectId: Scalars['String']['input'];
};

/** What to connect. */
export type ConnectInput = {
  /** Whose account it will be. The tenant must be registered. */
  scope: SubjectScope;
  /** Must be one your app may use. */
  provider: SocialProvider;
  /** At least one, none twice, all of them allowed for your app. */
  capabilities: Array<Capability>;
  /**
   * Where the browser goes afterwards: exactly one of your app's registered return URLs, without a fragment and without a
   * query parameter whose name begins with `ss_`. It comes back with `ss_session_id` added.
   */
  returnUrl: Scalars['String']['input'];
  /**
   * The connection to renew, which keeps its id: one in the same scope and at the same provider that is CONNECTED,
   * SUSPENDED or RECONNECT_REQUIRED.
   */
  reconnectConnectionId?: InputMaybe<Scalars['ID']['input']>;
};

/** Where to sign somebody in. */
export type IdpIdentityInput = {
  /** One of the tenant keys registered for your app. 1 to 128 characters. */
  tenantKey: Scalars['String']['input'];
  /** Exactly your app's registered identity return URL. */
  returnUrl: Scalars['String']['input'];
};

/** Which posts to scan. */
export type SyncWindow = {
  /** Posts published at this instant or later. */
  publishedAfter: Scalars['DateTime']['input'];
  /**
   * Posts published before this instant, which is after `publishedAfter` and at most 90 days later. A window that ends now
   * is read up to the moment its first page is asked for.
   */
  publishedBefore: Scalars['DateTime']['input'];
  /** Read no more posts than this. 1 to 100. */
  maxItems?: InputMaybe<Scalars['Int']['input']>;
};

/** Which stored posts to list. */
export type ContentWindow = {
  /** Posts published at this instant or later. */
  publishedAfter: Scalars['DateTime']['input'];
  /** Posts published before this instant, which is after `publishedAfter` and at most 90 days later. */
  publishedBefore: Scalars['DateTime']['input'];
  /** How many posts a page holds at most. 1 to 50. */
  first: Scalars['Int']['input'];
  /** `pageInfo.endCursor` of the previous page of the same window. */
  after?: InputMaybe<Scalars['String']['input']>;
};

/** Whether the service answers. */
export type ApiStatus = {
  /** Always true: whoever reads it has been answered. */
  ok: Scalars['Boolean']['output'];
  /** A sentence for a person. */
  message: Scalars['String']['output'];
};

/** What your app could start now, by policy and configuration. No proof that a live consent will succeed. */
export type IntegrationReadiness = {
  /** One entry for each provider. */
  providers: Array<ProviderReadiness>;
  /** Whether your app can start the identity flow. */
  idpIdentityAvailable: Scalars['Boolean']['output'];
};

/** Whether a Connect attempt can be started at a provider. */
export type ProviderReadiness = {
  /** PROVIDER_A, PROVIDER_B or PROVIDER_C. */
  provider: Scalars['String']['output'];
  /** Whether your app's policy and the service's configuration allow an attempt. */
  available: Scalars['Boolean']['output'];
};

/** A Connect attempt just created. */
export type ConnectSession = {
  /** Save it with the signed-in user's session before the browser leaves. */
  id: Scalars['ID']['output'];
  /** Post the launch token here, from a form in the browser. */
  launchUrl: Scalars['String']['output'];
  /** Good for one use: 64 hexadecimal characters, for the form field `launchToken` and nothing else. */
  launchToken: Scalars['String']['output'];
  /** The attempt has to be finished by then: 10 minutes after its creation. */
  expiresAt: Scalars['DateTime']['output'];
  /** The result can be read until then: 24 hours after its creation. */
  resultExpiresAt: Scalars['DateTime']['output'];
};

/** How a Connect attempt stands or ended. */
export type ConnectSessionResult = {
  /** As `ConnectSession.id`. */
  id: Scalars['ID']['output'];
  /** The provider asked for. */
  provider: SocialProvider;
  /** How far the attempt has come. */
  status: ConnectSessionStatus;
  /**
   * Why it ended so: ACCESS_DENIED, MISSING_PERMISSION, PARTIAL_PERMISSION (completed with fewer capabilities than asked),
   * ACCOUNT_MISMATCH (a reconnect came back with another account), ACCOUNT_DISCONNECTING, EXCHANGE_FAILED,
   * PROVIDER_UNAVAILABLE, REGISTRATION_PAUSED, POLICY_CHANGED, EXPIRED or CANCELED. Null while unfinished and when there
   * is nothing to add. More may come.
   */
  resultCode: Maybe<Scalars['String']['output']>;
  /** The connection, once COMPLETED. */
  connectionId: Maybe<Scalars['ID']['output']>;
  /**
   * What the account's owner has to do at the provider, if anything. On an EXPIRED or CANCELED attempt it may still be set
   * later, once: a grant may turn out to live on at the provider. Nothing else of a result changes.
   */
  creatorAction: Maybe<ConnectCreatorAction>;
  /** The attempt has to be finished by then. */
  expiresAt: Scalars['DateTime']['output'];
  /** The result can be read until then. */
  resultExpiresAt: Scalars['DateTime']['output'];
};

/** A sign-in just created. */
export type IdpIdentitySession = {
  /** Keep it with the browser's session. */
  id: Scalars['ID']['output'];
  /** Post the launch token here, from a form in the browser. */
  launchUrl: Scalars['String']['output'];
  /** Good for one use, for the form field `launchToken` and nothing else. */
  launchToken: Scalars['String']['output'];
  /** Redeems the result. It stays on your server. */
  resultProof: Scalars['String']['output'];
  /** The sign-in has to be finished by then: 10 minutes after its creation. */
  expiresAt: Scalars['DateTime']['output'];
  /** The result can be redeemed until then: 20 minutes after its creation. */
  resultExpiresAt: Scalars['DateTime']['output'];
};

/** How a sign-in stands or ended. All but `status` is null unless it COMPLETED. */
export type IdpIdentityResult = {
  /** How far the sign-in has come. */
  status: IdpIdentityStatus;
  /** The identity provider's issuer URL. */
  issuer: Maybe<Scalars['String']['output']>;
  /** The identity provider's stable id of the person. Key your user on `issuer` plus `idpSub`, never on the e-mail address. */
  idpSub: Maybe<Scalars['String']['output']>;
  /** The e-mail address, if the identity provider gave one. */
  email: Maybe<Scalars['String']['output']>;
  /** Whether the identity provider says that it verified the address. */
  emailVerified: Maybe<Scalars['Boolean']['output']>;
  /** The person's name, if given. */
  name: Maybe<Scalars['String']['output']>;
  /** The address of a picture, if given. */
  pictureUrl: Maybe<Scalars['String']['output']>;
};

/** The standing link between a scope and an account. */
export type Connection = {
  /** Stays the same when reconnected. */
  id: Scalars['ID']['output'];
  /** Where the account is. */
  provider: SocialProvider;
  /** The provider's own id of the account: a channel ID (PROVIDER_A), an open_id (PROVIDER_B), a user ID (PROVIDER_C). */
  providerAccountId: Scalars['String']['output'];
  /** Whether it can be used. */
  status: ConnectionStatus;
  /** How fresh its posts are. */
  syncStatus: SyncStatus;
  /** One entry for each capability granted. */
  capabilities: Array<CapabilityState>;
  /** Null unless CONNECTED, with PROFILE available and a profile under 30 days old. */
  profile: Maybe<Profile>;
  /**
   * When the last successful scan asked for its first page; for one that was continued, when the first of its chain did. It
   * knows no post published later. Null unless CONNECTED.
   */
  lastSuccessfulSyncAt: Maybe<Scalars['DateTime']['output']>;
  /** When a failed scan will be tried again, always in the future. Null unless CONNECTED and one waits. */
  nextRetryAt: Maybe<Scalars['DateTime']['output']>;
};

/** How one granted capability stands. */
export type CapabilityState = {
  /** Which capability. */
  capability: Capability;
  /** Whether it can be used. */
  availability: Availability;
  /** Why it is not AVAILABLE. */
  reason: Maybe<Scalars['String']['output']>;
};

/** An account's profile as last read. */
export type Profile = {
  /** The provider's own id of the account. */
  providerAccountId: Scalars['String']['output'];
  /** The name shown. */
  displayName: Maybe<Scalars['String']['output']>;
  /** The handle, as the provider writes it: PROVIDER_A's begins with an @, the others' do not. */
  handle: Maybe<Scalars['String']['output']>;
  /** The address of the picture. It may expire at the provider. */
  avatarUrl: Maybe<Scalars['String']['output']>;
  /** The address of the account's page. */
  profileUrl: Maybe<Scalars['String']['output']>;
  /** What the account says of itself. */
  description: Maybe<Scalars['String']['output']>;
  /** When we read it. */
  observedAt: Scalars['DateTime']['output'];
};

/** One metric of a post as last read. */
export type MetricObservation = {
  /** What it counts. */
  name: MetricName;
  /** The count, or null when there is none. Null is not zero. */
  value: Maybe<Scalars['DecimalCount']['output']>;
  /** Whether the provider gives it. */
  availability: Availability;
  /** Why it is not AVAILABLE. */
  reason: Maybe<Scalars['String']['output']>;
  /** The provider's own name of the field it comes from. */
  sourceField: Maybe<Scalars['String']['output']>;
  /** When we read it. */
  observedAt: Scalars['DateTime']['output'];
};

/** A post as last read. */
export type ContentItem = {
  /** Our id of the post. */
  id: Scalars['ID']['output'];
  /** The provider's id of the post, which `contentItem` and `requestRefresh` take. */
  providerContentId: Scalars['String']['output'];
  /** Where the post is. */
  provider: SocialProvider;
  /** What it is made of. */
  kind: ContentKind;
  /** The address of the post's page. */
  canonicalUrl: Maybe<Scalars['String']['output']>;
  /** The address of a preview, which may expire at the provider. Always null for PROVIDER_A, at times for PROVIDER_C images. */
  thumbnailUrl: Maybe<Scalars['String']['output']>;
  /** The title. Always null for PROVIDER_C. */
  title: Maybe<Scalars['String']['output']>;
  /** The text. */
  description: Maybe<Scalars['String']['output']>;
  /** When it was published. */
  publishedAt: Maybe<Scalars['DateTime']['output']>;
  /** Whether it can still be had. */
  availability: Availability;
  /** Why it is not AVAILABLE, such as EXPIRED (we last read it over 30 days ago) or CONTENT_NOT_FOUND. */
  reason: Maybe<Scalars['String']['output']>;
  /** When we last read it. */
  observedAt: Scalars['DateTime']['output'];
  /** Empty unless the connection has CONTENT_METRICS. */
  metrics: Array<MetricObservation>;
};

/** Where a page of posts stands in its window. */
export type PageInfo = {
  /** Pass it as `after` to get the next page. Null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there are more posts. */
  hasNextPage: Scalars['Boolean']['output'];
  /**
   * True only when scans that finished in the last 24 hours covered the whole window. A scan covers nothing published after
   * it asked for its first page, so a window that ends later than `lastSuccessfulSyncAt` is never complete.
   */
  completeForWindow: Scalars['Boolean']['output'];
  /** Why it is not complete: NEVER_SCANNED, SCAN_RUNNING, SCAN_STALE, SCAN_FAILED or PARTLY_SCANNED. More may come. */
  incompleteReason: Maybe<Scalars['String']['output']>;
};

/** A page of stored posts, newest first. */
export type ContentPage = {
  /** Posts read in the last 30 days. */
  items: Array<ContentItem>;
  /** Where the page stands. */
  pageInfo: PageInfo;
  /** As `Connection.lastSuccessfulSyncAt`. Pass it as `publishedBefore` to read what the last scan covered. */
  lastSuccessfulSyncAt: Maybe<Scalars['DateTime']['output']>;
};

/** Where a page of connections stands. */
export type ConnectionPageInfo = {
  /** Pass it as `after` to get the next page. Null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there are more connections. */
  hasNextPage: Scalars['Boolean']['output'];
};

/** A page of a subject's connections. */
export type ConnectionPage = {
  /** In every status, until a disconnected one is erased. */
  items: Array<Connection>;
  /** Where the page stands. */
  pageInfo: ConnectionPageInfo;
};

/** Work done in the background: a scan, a metrics refresh, a lookup, a revoke or an erase. */
export type SyncJob = {
  /** Read the job again by it. */
  id: Scalars['ID']['output'];
  /** How far it has come. */
  status: JobStatus;
  /** When it will be tried again, always in the future. Null unless it waits. */
  nextRetryAt: Maybe<Scalars['DateTime']['output']>;
  /**
   * Why it failed, or has to wait: PROVIDER_UNAVAILABLE, PROVIDER_RATE_LIMITED, RECONNECT_REQUIRED, CAPABILITY_UNAVAILABLE,
   * AUTHORIZATION_SUSPENDED, CONTENT_NOT_FOUND, UNSUPPORTED_URL, CONNECTION_DISCONNECTED, PROVIDER_CONTRACT or INTERNAL.
   * More may come.
   */
  errorCode: Maybe<Scalars['String']['output']>;
  /** On a revoke: what the account's owner has to do at the provider, if anything. */
  creatorAction: Maybe<ConnectCreatorAction>;
  /** On a successful lookup: the post, to be read with `contentItem`. */
  resultProviderContentId: Maybe<Scalars['String']['output']>;
  /** On a scan that has ended: whether it read its whole window, as of when it asked for its first page. */
  completeForWindow: Maybe<Scalars['Boolean']['output']>;
  /**
   * On a scan: why it did not cover its window: MAX_ITEMS, PROVIDER_LIMIT or PROVIDER_UNAVAILABLE. On a lookup: why the
   * post is not available. More may come.
   */
  incompleteReason: Maybe<Scalars['String']['output']>;
  /** On a successful incomplete scan less than 24 hours old: pass it to `requestRefresh` to go on. */
  continuationCursor: Maybe<Scalars['String']['output']>;
};

/** What a disconnect has started. */
export type DisconnectResult = {
  /** Whether access has stopped. */
  accepted: Scalars['Boolean']['output'];
  /** The connection, by which both jobs are read. */
  connectionId: Scalars['ID']['output'];
  /** True until the revoke job succeeds. */
  upstreamRevocationPending: Scalars['Boolean']['output'];
  /** The job that revokes the grant at the provider. It can be read for 7 days. */
  revokeJobId: Scalars['ID']['output'];
  /** The job that erases what we hold. It can be read for 7 days. */
  eraseJobId: Scalars['ID']['output'];
};

/** What can be read. */
export type Query = {
  /** Whether the service answers. Needs no key. Adds no codes. */
  status: ApiStatus;
  /** What your app could start now. Adds no codes. */
  integrationReadiness: IntegrationReadiness;
  /**
   * How a Connect attempt stands, until 24 hours after its creation. Reading an unfinished one past `expiresAt` gives EXPIRED.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (no such attempt in this scope, or its result is no
   * longer kept).
   */
  connectSessionResult: ConnectSessionResult;
  /**
   * One connection. A CONNECTED one is checked on every read; in another status it is returned with a null profile.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered, or your app's policy no longer allows the tenant, the provider or a
   * capability), `CAPABILITY_UNAVAILABLE` (the provider registration no longer serves your app), `AUTHORIZATION_SUSPENDED`
   * (the provider registration is paused), `RECONNECT_REQUIRED` (the grant has ended), `NOT_FOUND` (erased, or not this
   * scope's).
   */
  connection: Connection;
  /**
   * A subject's connections in the tenant, in every status. Each row goes through the same check as `connection`: one that
   * fails makes the whole call fail with its code.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, as for `connection`.
   */
  connections: ConnectionPage;
  /**
   * Stored posts published in a window, newest first. Needs CONTENT_LIST.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE` (also when the connection lacks CONTENT_LIST), `AUTHORIZATION_SUSPENDED`
   * (also when SUSPENDED), `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS` (DISCONNECTED or DELETING), `NOT_FOUND`, as for
   * `connection`.
   */
  content: ContentPage;
  /**
   * One stored post, or null when we never read it. Needs CONTENT_LIST or CONTENT_LOOKUP. One last read over 30 days ago
   * comes with its fields null, UNAVAILABLE, reason EXPIRED and no metrics.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`,
   * `NOT_FOUND` (the connection), as for `content`.
   */
  contentItem: Maybe<ContentItem>;
  /**
   * A job: a scan, metrics refresh or lookup for 7 days after it finished, a revoke or erase for 7 days after its creation,
   * even when the connection is erased.
   *
   * Codes: `NOT_FOUND` (no such job of this connection in this scope, or no longer kept; also when the tenant is not
   * registered).
   */
  syncJob: SyncJob;
};


/** What can be read. */
export type QueryConnectSessionResultArgs = {
  scope: SubjectScope;
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryConnectionArgs = {
  scope: SubjectScope;
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryConnectionsArgs = {
  scope: SubjectScope;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** What can be read. */
export type QueryContentArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  window: ContentWindow;
};


/** What can be read. */
export type QueryContentItemArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  providerContentId: Scalars['String']['input'];
};


/** What can be read. */
export type QuerySyncJobArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  id: Scalars['ID']['input'];
};

/** What can be asked for. Nothing here waits for a provider: poll the result. */
export type Mutation = {
  /**
   * Creates a Connect attempt. Save its `id` with the signed-in user's session, then let the browser post `launchToken` to
   * `launchUrl`.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered, your app's policy does not allow this, or for a while after a
   * PROVIDER_A or PROVIDER_B disconnect: try again once its revoke has settled), `NOT_FOUND` (the connection to renew),
   * `DISCONNECT_IN_PROGRESS` (the connection to renew is DISCONNECTED), `RATE_LIMITED` (the subject has 5 unfinished
   * attempts at this provider).
   */
  createConnectSession: ConnectSession;
  /**
   * Creates a sign-in at the identity provider. Keep `resultProof` on your server and let the browser post `launchToken` to
   * `launchUrl`.
   *
   * Codes: `CAPABILITY_UNAVAILABLE` (the identity flow is not set up for your app), `FORBIDDEN` (the tenant is not
   * registered), `RATE_LIMITED` (your app has 20 unfinished sign-ins).
   */
  createIdpIdentitySession: IdpIdentitySession;
  /**
   * Reads the result of a sign-in, once. While PENDING nothing is spent; any other status spends the proof.
   *
   * Codes: `NOT_FOUND` (no such sign-in for this tenant and proof, redeemed already, or no longer kept; also when the tenant
   * is not registered).
   */
  redeemIdpIdentityResult: IdpIdentityResult;
  /**
   * Stops access at once, and starts the revoke at the provider and the erase of what we hold. Until the erase is done a
   * second call returns the same jobs.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (erased, or not this scope's).
   */
  disconnectConnection: DisconnectResult;
  /**
   * Queues a scan, or with `providerContentId` a refresh of one post's metrics. A scan needs CONTENT_LIST, a refresh
   * CONTENT_METRICS. The same window or post asked for while one is in flight gives the job in flight.
   *
   * Codes: `SYNC_WINDOW_BUSY` (a scan of another window is in flight), `RATE_LIMITED` (your app has more than 20 read jobs
   * in flight; retryAfterSeconds is 60), `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`,
   * `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for `content`; `NOT_FOUND` also for a post not stored.
   */
  requestRefresh: SyncJob;
  /**
   * Queues a lookup of one post by its URL. Needs CONTENT_LOOKUP. Once it has succeeded, read the post with `contentItem`
   * and look at its availability.
   *
   * Codes: `RATE_LIMITED` (your app has more than 20 read jobs in flight; retryAfterSeconds is 60), `FORBIDDEN`,
   * `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for
   * `content`.
   */
  requestContentLookup: SyncJob;
};


/** What can be asked for. Nothing here waits for a provider: poll the result. */
export type MutationCreateConnectSessionArgs = {
  input: ConnectInput;
};


/** What can be asked for. Nothing here waits for a provider: poll the result. */
export type MutationCreateIdpIdentitySessionArgs = {
  input: IdpIdentityInput;
};


/** What can be asked for. Nothing here waits for a provider: poll the result. */
export type MutationRedeemIdpIdentityResultArgs = {
  id: Scalars['ID']['input'];
  tenantKey: Scalars['String']['input'];
  resultProof: Scalars['String']['input'];
};


/** What can be asked for. Nothing here waits for a provider: poll the result. */
export type MutationDisconnectConnectionArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
};


/** What can be asked for. Nothing here waits for a provider: poll the result. */
export type MutationRequestRefreshArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  providerContentId: InputMaybe<Scalars['String']['input']>;
  window: InputMaybe<SyncWindow>;
  continuationCursor: InputMaybe<Scalars['String']['input']>;
};


/** What can be asked for. Nothing here waits for a provider: poll the result. */
export type MutationRequestContentLookupArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  url: Scalars['String']['input'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  DecimalCount: ResolverTypeWrapper<Scalars['DecimalCount']['output']>;
  SocialProvider: SocialProvider;
  Capability: Capability;
  Availability: Availability;
  MetricName: MetricName;
  ContentKind: ContentKind;
  ConnectCreatorAction: ConnectCreatorAction;
  ConnectSessionStatus: ConnectSessionStatus;
  ConnectionStatus: ConnectionStatus;
  SyncStatus: SyncStatus;
  JobStatus: JobStatus;
  IdpIdentityStatus: IdpIdentityStatus;
  SubjectScope: SubjectScope;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  ConnectInput: ConnectInput;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  IdpIdentityInput: IdpIdentityInput;
  SyncWindow: SyncWindow;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  ContentWindow: ContentWindow;
  ApiStatus: ResolverTypeWrapper<ApiStatus>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  IntegrationReadiness: ResolverTypeWrapper<IntegrationReadiness>;
  ProviderReadiness: ResolverTypeWrapper<ProviderReadiness>;
  ConnectSession: ResolverTypeWrapper<ConnectSession>;
  ConnectSessionResult: ResolverTypeWrapper<ConnectSessionResult>;
  IdpIdentitySession: ResolverTypeWrapper<IdpIdentitySession>;
  IdpIdentityResult: ResolverTypeWrapper<IdpIdentityResult>;
  Connection: ResolverTypeWrapper<Connection>;
  CapabilityState: ResolverTypeWrapper<CapabilityState>;
  Profile: ResolverTypeWrapper<Profile>;
  MetricObservation: ResolverTypeWrapper<MetricObservation>;
  ContentItem: ResolverTypeWrapper<ContentItem>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  ContentPage: ResolverTypeWrapper<ContentPage>;
  ConnectionPageInfo: ResolverTypeWrapper<ConnectionPageInfo>;
  ConnectionPage: ResolverTypeWrapper<ConnectionPage>;
  SyncJob: ResolverTypeWrapper<SyncJob>;
  DisconnectResult: ResolverTypeWrapper<DisconnectResult>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  DecimalCount: Scalars['DecimalCount']['output'];
  SubjectScope: SubjectScope;
  String: Scalars['String']['output'];
  ConnectInput: ConnectInput;
  ID: Scalars['ID']['output'];
  IdpIdentityInput: IdpIdentityInput;
  SyncWindow: SyncWindow;
  Int: Scalars['Int']['output'];
  ContentWindow: ContentWindow;
  ApiStatus: ApiStatus;
  Boolean: Scalars['Boolean']['output'];
  IntegrationReadiness: IntegrationReadiness;
  ProviderReadiness: ProviderReadiness;
  ConnectSession: ConnectSession;
  ConnectSessionResult: ConnectSessionResult;
  IdpIdentitySession: IdpIdentitySession;
  IdpIdentityResult: IdpIdentityResult;
  Connection: Connection;
  CapabilityState: CapabilityState;
  Profile: Profile;
  MetricObservation: MetricObservation;
  ContentItem: ContentItem;
  PageInfo: PageInfo;
  ContentPage: ContentPage;
  ConnectionPageInfo: ConnectionPageInfo;
  ConnectionPage: ConnectionPage;
  SyncJob: SyncJob;
  DisconnectResult: DisconnectResult;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DecimalCountScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DecimalCount'], any> {
  name: 'DecimalCount';
}

export type ApiStatusResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiStatus'] = ResolversParentTypes['ApiStatus']> = {
  ok?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type IntegrationReadinessResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntegrationReadiness'] = ResolversParentTypes['IntegrationReadiness']> = {
  providers?: Resolver<Array<ResolversTypes['ProviderReadiness']>, ParentType, ContextType>;
  idpIdentityAvailable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ProviderReadinessResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProviderReadiness'] = ResolversParentTypes['ProviderReadiness']> = {
  provider?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  available?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ConnectSessionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ConnectSession'] = ResolversParentTypes['ConnectSession']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  launchUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  launchToken?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  resultExpiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ConnectSessionResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ConnectSessionResult'] = ResolversParentTypes['ConnectSessionResult']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ConnectSessionStatus'], ParentType, ContextType>;
  resultCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  connectionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  creatorAction?: Resolver<Maybe<ResolversTypes['ConnectCreatorAction']>, ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  resultExpiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type IdpIdentitySessionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IdpIdentitySession'] = ResolversParentTypes['IdpIdentitySession']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  launchUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  launchToken?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  resultProof?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  resultExpiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type IdpIdentityResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IdpIdentityResult'] = ResolversParentTypes['IdpIdentityResult']> = {
  status?: Resolver<ResolversTypes['IdpIdentityStatus'], ParentType, ContextType>;
  issuer?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  idpSub?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  emailVerified?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pictureUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Connection'] = ResolversParentTypes['Connection']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  providerAccountId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ConnectionStatus'], ParentType, ContextType>;
  syncStatus?: Resolver<ResolversTypes['SyncStatus'], ParentType, ContextType>;
  capabilities?: Resolver<Array<ResolversTypes['CapabilityState']>, ParentType, ContextType>;
  profile?: Resolver<Maybe<ResolversTypes['Profile']>, ParentType, ContextType>;
  lastSuccessfulSyncAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  nextRetryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type CapabilityStateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CapabilityState'] = ResolversParentTypes['CapabilityState']> = {
  capability?: Resolver<ResolversTypes['Capability'], ParentType, ContextType>;
  availability?: Resolver<ResolversTypes['Availability'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProfileResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Profile'] = ResolversParentTypes['Profile']> = {
  providerAccountId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  displayName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  handle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  avatarUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  profileUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  observedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MetricObservationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricObservation'] = ResolversParentTypes['MetricObservation']> = {
  name?: Resolver<ResolversTypes['MetricName'], ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['DecimalCount']>, ParentType, ContextType>;
  availability?: Resolver<ResolversTypes['Availability'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sourceField?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  observedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ContentItemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ContentItem'] = ResolversParentTypes['ContentItem']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  providerContentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ContentKind'], ParentType, ContextType>;
  canonicalUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  thumbnailUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  publishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  availability?: Resolver<ResolversTypes['Availability'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  observedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  metrics?: Resolver<Array<ResolversTypes['MetricObservation']>, ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  completeForWindow?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  incompleteReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ContentPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ContentPage'] = ResolversParentTypes['ContentPage']> = {
  items?: Resolver<Array<ResolversTypes['ContentItem']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  lastSuccessfulSyncAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type ConnectionPageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ConnectionPageInfo'] = ResolversParentTypes['ConnectionPageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ConnectionPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ConnectionPage'] = ResolversParentTypes['ConnectionPage']> = {
  items?: Resolver<Array<ResolversTypes['Connection']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['ConnectionPageInfo'], ParentType, ContextType>;
};

export type SyncJobResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SyncJob'] = ResolversParentTypes['SyncJob']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['JobStatus'], ParentType, ContextType>;
  nextRetryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  errorCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  creatorAction?: Resolver<Maybe<ResolversTypes['ConnectCreatorAction']>, ParentType, ContextType>;
  resultProviderContentId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  completeForWindow?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  incompleteReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  continuationCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DisconnectResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DisconnectResult'] = ResolversParentTypes['DisconnectResult']> = {
  accepted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  connectionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  upstreamRevocationPending?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  revokeJobId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  eraseJobId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  status: Resolver<ResolversTypes['ApiStatus'], ParentType, PublicContext>;
  integrationReadiness: Resolver<ResolversTypes['IntegrationReadiness'], ParentType, ContextType>;
  connectSessionResult: Resolver<ResolversTypes['ConnectSessionResult'], ParentType, ContextType, RequireFields<QueryConnectSessionResultArgs, 'scope' | 'id'>>;
  connection: Resolver<ResolversTypes['Connection'], ParentType, ContextType, RequireFields<QueryConnectionArgs, 'scope' | 'id'>>;
  connections: Resolver<ResolversTypes['ConnectionPage'], ParentType, ContextType, RequireFields<QueryConnectionsArgs, 'scope' | 'first'>>;
  content: Resolver<ResolversTypes['ContentPage'], ParentType, ContextType, RequireFields<QueryContentArgs, 'scope' | 'connectionId' | 'window'>>;
  contentItem: Resolver<Maybe<ResolversTypes['ContentItem']>, ParentType, ContextType, RequireFields<QueryContentItemArgs, 'scope' | 'connectionId' | 'providerContentId'>>;
  syncJob: Resolver<ResolversTypes['SyncJob'], ParentType, ContextType, RequireFields<QuerySyncJobArgs, 'scope' | 'connectionId' | 'id'>>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createConnectSession: Resolver<ResolversTypes['ConnectSession'], ParentType, ContextType, RequireFields<MutationCreateConnectSessionArgs, 'input'>>;
  createIdpIdentitySession: Resolver<ResolversTypes['IdpIdentitySession'], ParentType, ContextType, RequireFields<MutationCreateIdpIdentitySessionArgs, 'input'>>;
  redeemIdpIdentityResult: Resolver<ResolversTypes['IdpIdentityResult'], ParentType, ContextType, RequireFields<MutationRedeemIdpIdentityResultArgs, 'id' | 'tenantKey' | 'resultProof'>>;
  disconnectConnection: Resolver<ResolversTypes['DisconnectResult'], ParentType, ContextType, RequireFields<MutationDisconnectConnectionArgs, 'scope' | 'connectionId'>>;
  requestRefresh: Resolver<ResolversTypes['SyncJob'], ParentType, ContextType, RequireFields<MutationRequestRefreshArgs, 'scope' | 'connectionId'>>;
  requestContentLookup: Resolver<ResolversTypes['SyncJob'], ParentType, ContextType, RequireFields<MutationRequestContentLookupArgs, 'scope' | 'connectionId' | 'url'>>;
};

export type Resolvers<ContextType = Context> = {
  DateTime?: GraphQLScalarType;
  DecimalCount?: GraphQLScalarType;
  ApiStatus?: ApiStatusResolvers<ContextType>;
  IntegrationReadiness?: IntegrationReadinessResolvers<ContextType>;
  ProviderReadiness?: ProviderReadinessResolvers<ContextType>;
  ConnectSession?: ConnectSessionResolvers<ContextType>;
  ConnectSessionResult?: ConnectSessionResultResolvers<ContextType>;
  IdpIdentitySession?: IdpIdentitySessionResolvers<ContextType>;
  IdpIdentityResult?: IdpIdentityResultResolvers<ContextType>;
  Connection?: ConnectionResolvers<ContextType>;
  CapabilityState?: CapabilityStateResolvers<ContextType>;
  Profile?: ProfileResolvers<ContextType>;
  MetricObservation?: MetricObservationResolvers<ContextType>;
  ContentItem?: ContentItemResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  ContentPage?: ContentPageResolvers<ContextType>;
  ConnectionPageInfo?: ConnectionPageInfoResolvers<ContextType>;
  ConnectionPage?: ConnectionPageResolvers<ContextType>;
  SyncJob?: SyncJobResolvers<ContextType>;
  DisconnectResult?: DisconnectResultResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};
/** schema.graphql, word for word. */
export const schemaText = [
  "\"\"\"",
  "Links the accounts your users have at social platforms, and reads profile, posts and metrics from them.",
  "",
  "One endpoint, `POST /graphql`, server to server only: CORS is not enabled and the application key never belongs in a",
  "browser. Every operation but `status` needs `Authorization: Bearer <key-id>.<secret>`.",
  "",
  "Each error has `message`, for a person, and `extensions` with `code`, `correlationId` (a UUID to quote in a report) and,",
  "on `RATE_LIMITED`, `retryAfterSeconds`. Read the body rather than the HTTP status: a failed operation mostly answers",
  "200; `BAD_USER_INPUT` answers 400; a body over 64 KiB answers 413 without a GraphQL body.",
  "",
  "Limits of a request: one operation, 8 aliases, fields nested 8 deep, a cost of 100 (each root field costs 10, each field",
  "below it 1, fragments at every spread), a JSON body of 64 KiB, no batching.",
  "",
  "Any operation that needs the key can answer `UNAUTHENTICATED` (the key is missing, malformed, unknown, revoked or",
  "expired), `FORBIDDEN` (the app is disabled), `BAD_USER_INPUT` (an argument or the request breaks a rule or a limit),",
  "`RATE_LIMITED` (more requests a second than the app may send) and `UPSTREAM_UNAVAILABLE` (we failed; try again later).",
  "The fields of Query and Mutation name the codes they add to these.",
  "\"\"\"",
  "schema {",
  "  query: Query",
  "  mutation: Mutation",
  "}",
  "",
  "\"\"\"",
  "An instant as an ISO 8601 date-time with a zone, such as `2026-01-31T09:30:00.000Z`. Taken with any offset (`Z`, `+02:00`,",
  "`+0200` or `+02`), without seconds or with up to nine digits of one, of which three are kept; given in UTC with",
  "milliseconds.",
  "\"\"\"",
  "scalar DateTime",
  "",
  "\"A non-negative integer of any size, as a string of decimal digits.\"",
  "scalar DecimalCount",
  "",
  "\"A social platform.\"",
  "enum SocialProvider {",
  "  \"The first provider. Its account id is a channel ID.\"",
  "  PROVIDER_A",
  "  \"The second provider. Its account id is an open_id.\"",
  "  PROVIDER_B",
  "  \"The third provider. Its account id is a user ID.\"",
  "  PROVIDER_C",
  "}",
  "",
  "\"What a connection may be read for.\"",
  "enum Capability {",
  "  \"Read the account's profile.\"",
  "  PROFILE",
  "  \"Scan the account's posts, and list those stored.\"",
  "  CONTENT_LIST",
  "  \"Look up one post by its URL.\"",
  "  CONTENT_LOOKUP",
  "  \"Read the metrics of stored posts.\"",
  "  CONTENT_METRICS",
  "}",
  "",
  "\"Whether something can be had, and if not, whose doing that is.\"",
  "enum Availability {",
  "  \"It can be had.\"",
  "  AVAILABLE",
  "  \"The provider does not offer it.\"",
  "  UNSUPPORTED",
  "  \"The person has not granted it, or has withdrawn it.\"",
  "  NOT_GRANTED",
  "  \"It cannot be had at present, or not any more.\"",
  "  UNAVAILABLE",
  "}",
  "",
  "\"What a metric counts.\"",
  "enum MetricName {",
  "  \"Times the post was viewed.\"",
  "  VIEWS",
  "  \"Likes of the post.\"",
  "  LIKES",
  "  \"Comments on the post.\"",
  "  COMMENTS",
  "  \"Times the post was shared.\"",
  "  SHARES",
  "}",
  "",
  "\"What a post is made of.\"",
  "enum ContentKind {",
  "  \"A video.\"",
  "  VIDEO",
  "  \"One image.\"",
  "  IMAGE",
  "  \"Several images or videos in one post.\"",
  "  CAROUSEL",
  "  \"Not known, or a kind of its own.\"",
  "  UNKNOWN",
  "}",
  "",
  "\"Something the owner of the account has to do by hand.\"",
  "enum ConnectCreatorAction {",
  "  \"Remove the app in the account's settings at the provider: the grant may still exist there.\"",
  "  REMOVE_APP_AT_PROVIDER",
  "}",
  "",
  "\"How far a Connect attempt has come. The first three are unfinished.\"",
  "enum ConnectSessionStatus {",
  "  \"Waits for the browser to post the launch token.\"",
  "  CREATED",
  "  \"The person is at the provider.\"",
  "  AUTHORIZING",
  "  \"The person has come back; the grant is being collected.\"",
  "  EXCHANGING",
  "  \"There is a connection; its id is `connectionId`.\"",
  "  COMPLETED",
  "  \"The person or the provider said no.\"",
  "  DENIED",
  "  \"It could not be finished; `resultCode` says why.\"",
  "  FAILED",
  "  \"It was not finished within 10 minutes of its creation.\"",
  "  EXPIRED",
  "  \"It was called off; `resultCode` says why.\"",
  "  CANCELED",
  "}",
  "",
  "\"Whether a connection can be used.\"",
  "enum ConnectionStatus {",
  "  \"It works.\"",
  "  CONNECTED",
  "  \"On hold until a disconnect that may have ended its grant too has settled.\"",
  "  SUSPENDED",
  "  \"Its grant has ended. Connect again, naming it as `reconnectConnectionId`.\"",
  "  RECONNECT_REQUIRED",
  "  \"Access has stopped. The grant is being revoked.\"",
  "  DISCONNECTED",
  "  \"The last of its data is being erased.\"",
  "  DELETING",
  "}",
  "",
  "\"How fresh what we hold of a connection's posts is.\"",
  "enum SyncStatus {",
  "  \"Not yet scanned.\"",
  "  PENDING",
  "  \"A scan is running, or waits for its next try at `nextRetryAt`.\"",
  "  RUNNING",
  "  \"The last scan reached its end, or there is nothing to scan: the connection lacks CONTENT_LIST.\"",
  "  READY",
  "  \"The last scan ended before its window did.\"",
  "  PARTIAL",
  "  \"`lastSuccessfulSyncAt` is 24 hours ago or longer.\"",
  "  STALE",
  "  \"The last scan failed, and is not tried again unasked.\"",
  "  FAILED",
  "}",
  "",
  "\"How far a job has come. The last three are final.\"",
  "enum JobStatus {",
  "  \"Not yet started.\"",
  "  QUEUED",
  "  \"Under way, or waiting for its next try.\"",
  "  RUNNING",
  "  \"It did what was asked.\"",
  "  SUCCEEDED",
  "  \"It gave up; `errorCode` says why.\"",
  "  FAILED",
  "  \"It was called off.\"",
  "  CANCELED",
  "}",
  "",
  "\"How far a sign-in has come.\"",
  "enum IdpIdentityStatus {",
  "  \"Not finished. Redeeming now does not spend the proof.\"",
  "  PENDING",
  "  \"The person signed in.\"",
  "  COMPLETED",
  "  \"The person or the identity provider said no.\"",
  "  DENIED",
  "  \"It could not be finished.\"",
  "  FAILED",
  "  \"It was not finished within 10 minutes of its creation.\"",
  "  EXPIRED",
  "}",
  "",
  "\"\"\"",
  "Whose account it is, in your own words. Derive both values on your server from your own signed-in session, never from",
  "what a browser sends: they are trusted as sent.",
  "\"\"\"",
  "input SubjectScope {",
  "  \"One of the tenant keys registered for your app. 1 to 128 characters.\"",
  "  tenantKey: String!",
  "  \"Your own id of the user within the tenant. 1 to 128 characters.\"",
  "  externalSubjectId: String!",
  "}",
  "",
  "\"What to connect.\"",
  "input ConnectInput {",
  "  \"Whose account it will be. The tenant must be registered.\"",
  "  scope: SubjectScope!",
  "  \"Must be one your app may use.\"",
  "  provider: SocialProvider!",
  "  \"At least one, none twice, all of them allowed for your app.\"",
  "  capabilities: [Capability!]!",
  "  \"\"\"",
  "  Where the browser goes afterwards: exactly one of your app's registered return URLs, without a fragment and without a",
  "  query parameter whose name begins with `ss_`. It comes back with `ss_session_id` added.",
  "  \"\"\"",
  "  returnUrl: String!",
  "  \"\"\"",
  "  The connection to renew, which keeps its id: one in the same scope and at the same provider that is CONNECTED,",
  "  SUSPENDED or RECONNECT_REQUIRED.",
  "  \"\"\"",
  "  reconnectConnectionId: ID",
  "}",
  "",
  "\"Where to sign somebody in.\"",
  "input IdpIdentityInput {",
  "  \"One of the tenant keys registered for your app. 1 to 128 characters.\"",
  "  tenantKey: String!",
  "  \"Exactly your app's registered identity return URL.\"",
  "  returnUrl: String!",
  "}",
  "",
  "\"Which posts to scan.\"",
  "input SyncWindow {",
  "  \"Posts published at this instant or later.\"",
  "  publishedAfter: DateTime!",
  "  \"\"\"",
  "  Posts published before this instant, which is after `publishedAfter` and at most 90 days later. A window that ends now",
  "  is read up to the moment its first page is asked for.",
  "  \"\"\"",
  "  publishedBefore: DateTime!",
  "  \"Read no more posts than this. 1 to 100.\"",
  "  maxItems: Int = 100",
  "}",
  "",
  "\"Which stored posts to list.\"",
  "input ContentWindow {",
  "  \"Posts published at this instant or later.\"",
  "  publishedAfter: DateTime!",
  "  \"Posts published before this instant, which is after `publishedAfter` and at most 90 days later.\"",
  "  publishedBefore: DateTime!",
  "  \"How many posts a page holds at most. 1 to 50.\"",
  "  first: Int!",
  "  \"`pageInfo.endCursor` of the previous page of the same window.\"",
  "  after: String",
  "}",
  "",
  "\"Whether the service answers.\"",
  "type ApiStatus {",
  "  \"Always true: whoever reads it has been answered.\"",
  "  ok: Boolean!",
  "  \"A sentence for a person.\"",
  "  message: String!",
  "}",
  "",
  "\"What your app could start now, by policy and configuration. No proof that a live consent will succeed.\"",
  "type IntegrationReadiness {",
  "  \"One entry for each provider.\"",
  "  providers: [ProviderReadiness!]!",
  "  \"Whether your app can start the identity flow.\"",
  "  idpIdentityAvailable: Boolean!",
  "}",
  "",
  "\"Whether a Connect attempt can be started at a provider.\"",
  "type ProviderReadiness {",
  "  \"PROVIDER_A, PROVIDER_B or PROVIDER_C.\"",
  "  provider: String!",
  "  \"Whether your app's policy and the service's configuration allow an attempt.\"",
  "  available: Boolean!",
  "}",
  "",
  "\"A Connect attempt just created.\"",
  "type ConnectSession {",
  "  \"Save it with the signed-in user's session before the browser leaves.\"",
  "  id: ID!",
  "  \"Post the launch token here, from a form in the browser.\"",
  "  launchUrl: String!",
  "  \"Good for one use: 64 hexadecimal characters, for the form field `launchToken` and nothing else.\"",
  "  launchToken: String!",
  "  \"The attempt has to be finished by then: 10 minutes after its creation.\"",
  "  expiresAt: DateTime!",
  "  \"The result can be read until then: 24 hours after its creation.\"",
  "  resultExpiresAt: DateTime!",
  "}",
  "",
  "\"How a Connect attempt stands or ended.\"",
  "type ConnectSessionResult {",
  "  \"As `ConnectSession.id`.\"",
  "  id: ID!",
  "  \"The provider asked for.\"",
  "  provider: SocialProvider!",
  "  \"How far the attempt has come.\"",
  "  status: ConnectSessionStatus!",
  "  \"\"\"",
  "  Why it ended so: ACCESS_DENIED, MISSING_PERMISSION, PARTIAL_PERMISSION (completed with fewer capabilities than asked),",
  "  ACCOUNT_MISMATCH (a reconnect came back with another account), ACCOUNT_DISCONNECTING, EXCHANGE_FAILED,",
  "  PROVIDER_UNAVAILABLE, REGISTRATION_PAUSED, POLICY_CHANGED, EXPIRED or CANCELED. Null while unfinished and when there",
  "  is nothing to add. More may come.",
  "  \"\"\"",
  "  resultCode: String",
  "  \"The connection, once COMPLETED.\"",
  "  connectionId: ID",
  "  \"\"\"",
  "  What the account's owner has to do at the provider, if anything. On an EXPIRED or CANCELED attempt it may still be set",
  "  later, once: a grant may turn out to live on at the provider. Nothing else of a result changes.",
  "  \"\"\"",
  "  creatorAction: ConnectCreatorAction",
  "  \"The attempt has to be finished by then.\"",
  "  expiresAt: DateTime!",
  "  \"The result can be read until then.\"",
  "  resultExpiresAt: DateTime!",
  "}",
  "",
  "\"A sign-in just created.\"",
  "type IdpIdentitySession {",
  "  \"Keep it with the browser's session.\"",
  "  id: ID!",
  "  \"Post the launch token here, from a form in the browser.\"",
  "  launchUrl: String!",
  "  \"Good for one use, for the form field `launchToken` and nothing else.\"",
  "  launchToken: String!",
  "  \"Redeems the result. It stays on your server.\"",
  "  resultProof: String!",
  "  \"The sign-in has to be finished by then: 10 minutes after its creation.\"",
  "  expiresAt: DateTime!",
  "  \"The result can be redeemed until then: 20 minutes after its creation.\"",
  "  resultExpiresAt: DateTime!",
  "}",
  "",
  "\"How a sign-in stands or ended. All but `status` is null unless it COMPLETED.\"",
  "type IdpIdentityResult {",
  "  \"How far the sign-in has come.\"",
  "  status: IdpIdentityStatus!",
  "  \"The identity provider's issuer URL.\"",
  "  issuer: String",
  "  \"The identity provider's stable id of the person. Key your user on `issuer` plus `idpSub`, never on the e-mail address.\"",
  "  idpSub: String",
  "  \"The e-mail address, if the identity provider gave one.\"",
  "  email: String",
  "  \"Whether the identity provider says that it verified the address.\"",
  "  emailVerified: Boolean",
  "  \"The person's name, if given.\"",
  "  name: String",
  "  \"The address of a picture, if given.\"",
  "  pictureUrl: String",
  "}",
  "",
  "\"The standing link between a scope and an account.\"",
  "type Connection {",
  "  \"Stays the same when reconnected.\"",
  "  id: ID!",
  "  \"Where the account is.\"",
  "  provider: SocialProvider!",
  "  \"The provider's own id of the account: a channel ID (PROVIDER_A), an open_id (PROVIDER_B), a user ID (PROVIDER_C).\"",
  "  providerAccountId: String!",
  "  \"Whether it can be used.\"",
  "  status: ConnectionStatus!",
  "  \"How fresh its posts are.\"",
  "  syncStatus: SyncStatus!",
  "  \"One entry for each capability granted.\"",
  "  capabilities: [CapabilityState!]!",
  "  \"Null unless CONNECTED, with PROFILE available and a profile under 30 days old.\"",
  "  profile: Profile",
  "  \"\"\"",
  "  When the last successful scan asked for its first page; for one that was continued, when the first of its chain did. It",
  "  knows no post published later. Null unless CONNECTED.",
  "  \"\"\"",
  "  lastSuccessfulSyncAt: DateTime",
  "  \"When a failed scan will be tried again, always in the future. Null unless CONNECTED and one waits.\"",
  "  nextRetryAt: DateTime",
  "}",
  "",
  "\"How one granted capability stands.\"",
  "type CapabilityState {",
  "  \"Which capability.\"",
  "  capability: Capability!",
  "  \"Whether it can be used.\"",
  "  availability: Availability!",
  "  \"Why it is not AVAILABLE.\"",
  "  reason: String",
  "}",
  "",
  "\"An account's profile as last read.\"",
  "type Profile {",
  "  \"The provider's own id of the account.\"",
  "  providerAccountId: String!",
  "  \"The name shown.\"",
  "  displayName: String",
  "  \"The handle, as the provider writes it: PROVIDER_A's begins with an @, the others' do not.\"",
  "  handle: String",
  "  \"The address of the picture. It may expire at the provider.\"",
  "  avatarUrl: String",
  "  \"The address of the account's page.\"",
  "  profileUrl: String",
  "  \"What the account says of itself.\"",
  "  description: String",
  "  \"When we read it.\"",
  "  observedAt: DateTime!",
  "}",
  "",
  "\"One metric of a post as last read.\"",
  "type MetricObservation {",
  "  \"What it counts.\"",
  "  name: MetricName!",
  "  \"The count, or null when there is none. Null is not zero.\"",
  "  value: DecimalCount",
  "  \"Whether the provider gives it.\"",
  "  availability: Availability!",
  "  \"Why it is not AVAILABLE.\"",
  "  reason: String",
  "  \"The provider's own name of the field it comes from.\"",
  "  sourceField: String",
  "  \"When we read it.\"",
  "  observedAt: DateTime!",
  "}",
  "",
  "\"A post as last read.\"",
  "type ContentItem {",
  "  \"Our id of the post.\"",
  "  id: ID!",
  "  \"The provider's id of the post, which `contentItem` and `requestRefresh` take.\"",
  "  providerContentId: String!",
  "  \"Where the post is.\"",
  "  provider: SocialProvider!",
  "  \"What it is made of.\"",
  "  kind: ContentKind!",
  "  \"The address of the post's page.\"",
  "  canonicalUrl: String",
  "  \"The address of a preview, which may expire at the provider. Always null for PROVIDER_A, at times for PROVIDER_C images.\"",
  "  thumbnailUrl: String",
  "  \"The title. Always null for PROVIDER_C.\"",
  "  title: String",
  "  \"The text.\"",
  "  description: String",
  "  \"When it was published.\"",
  "  publishedAt: DateTime",
  "  \"Whether it can still be had.\"",
  "  availability: Availability!",
  "  \"Why it is not AVAILABLE, such as EXPIRED (we last read it over 30 days ago) or CONTENT_NOT_FOUND.\"",
  "  reason: String",
  "  \"When we last read it.\"",
  "  observedAt: DateTime!",
  "  \"Empty unless the connection has CONTENT_METRICS.\"",
  "  metrics: [MetricObservation!]!",
  "}",
  "",
  "\"Where a page of posts stands in its window.\"",
  "type PageInfo {",
  "  \"Pass it as `after` to get the next page. Null on an empty page.\"",
  "  endCursor: String",
  "  \"Whether there are more posts.\"",
  "  hasNextPage: Boolean!",
  "  \"\"\"",
  "  True only when scans that finished in the last 24 hours covered the whole window. A scan covers nothing published after",
  "  it asked for its first page, so a window that ends later than `lastSuccessfulSyncAt` is never complete.",
  "  \"\"\"",
  "  completeForWindow: Boolean!",
  "  \"Why it is not complete: NEVER_SCANNED, SCAN_RUNNING, SCAN_STALE, SCAN_FAILED or PARTLY_SCANNED. More may come.\"",
  "  incompleteReason: String",
  "}",
  "",
  "\"A page of stored posts, newest first.\"",
  "type ContentPage {",
  "  \"Posts read in the last 30 days.\"",
  "  items: [ContentItem!]!",
  "  \"Where the page stands.\"",
  "  pageInfo: PageInfo!",
  "  \"As `Connection.lastSuccessfulSyncAt`. Pass it as `publishedBefore` to read what the last scan covered.\"",
  "  lastSuccessfulSyncAt: DateTime",
  "}",
  "",
  "\"Where a page of connections stands.\"",
  "type ConnectionPageInfo {",
  "  \"Pass it as `after` to get the next page. Null on an empty page.\"",
  "  endCursor: String",
  "  \"Whether there are more connections.\"",
  "  hasNextPage: Boolean!",
  "}",
  "",
  "\"A page of a subject's connections.\"",
  "type ConnectionPage {",
  "  \"In every status, until a disconnected one is erased.\"",
  "  items: [Connection!]!",
  "  \"Where the page stands.\"",
  "  pageInfo: ConnectionPageInfo!",
  "}",
  "",
  "\"Work done in the background: a scan, a metrics refresh, a lookup, a revoke or an erase.\"",
  "type SyncJob {",
  "  \"Read the job again by it.\"",
  "  id: ID!",
  "  \"How far it has come.\"",
  "  status: JobStatus!",
  "  \"When it will be tried again, always in the future. Null unless it waits.\"",
  "  nextRetryAt: DateTime",
  "  \"\"\"",
  "  Why it failed, or has to wait: PROVIDER_UNAVAILABLE, PROVIDER_RATE_LIMITED, RECONNECT_REQUIRED, CAPABILITY_UNAVAILABLE,",
  "  AUTHORIZATION_SUSPENDED, CONTENT_NOT_FOUND, UNSUPPORTED_URL, CONNECTION_DISCONNECTED, PROVIDER_CONTRACT or INTERNAL.",
  "  More may come.",
  "  \"\"\"",
  "  errorCode: String",
  "  \"On a revoke: what the account's owner has to do at the provider, if anything.\"",
  "  creatorAction: ConnectCreatorAction",
  "  \"On a successful lookup: the post, to be read with `contentItem`.\"",
  "  resultProviderContentId: String",
  "  \"On a scan that has ended: whether it read its whole window, as of when it asked for its first page.\"",
  "  completeForWindow: Boolean",
  "  \"\"\"",
  "  On a scan: why it did not cover its window: MAX_ITEMS, PROVIDER_LIMIT or PROVIDER_UNAVAILABLE. On a lookup: why the",
  "  post is not available. More may come.",
  "  \"\"\"",
  "  incompleteReason: String",
  "  \"On a successful incomplete scan less than 24 hours old: pass it to `requestRefresh` to go on.\"",
  "  continuationCursor: String",
  "}",
  "",
  "\"What a disconnect has started.\"",
  "type DisconnectResult {",
  "  \"Whether access has stopped.\"",
  "  accepted: Boolean!",
  "  \"The connection, by which both jobs are read.\"",
  "  connectionId: ID!",
  "  \"True until the revoke job succeeds.\"",
  "  upstreamRevocationPending: Boolean!",
  "  \"The job that revokes the grant at the provider. It can be read for 7 days.\"",
  "  revokeJobId: ID!",
  "  \"The job that erases what we hold. It can be read for 7 days.\"",
  "  eraseJobId: ID!",
  "}",
  "",
  "\"What can be read.\"",
  "type Query {",
  "  \"Whether the service answers. Needs no key. Adds no codes.\"",
  "  status: ApiStatus!",
  "",
  "  \"What your app could start now. Adds no codes.\"",
  "  integrationReadiness: IntegrationReadiness!",
  "",
  "  \"\"\"",
  "  How a Connect attempt stands, until 24 hours after its creation. Reading an unfinished one past `expiresAt` gives EXPIRED.",
  "",
  "  Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (no such attempt in this scope, or its result is no",
  "  longer kept).",
  "  \"\"\"",
  "  connectSessionResult(",
  "    \"The scope the attempt was created with.\"",
  "    scope: SubjectScope!",
  "    \"`ConnectSession.id`.\"",
  "    id: ID!",
  "  ): ConnectSessionResult!",
  "",
  "  \"\"\"",
  "  One connection. A CONNECTED one is checked on every read; in another status it is returned with a null profile.",
  "",
  "  Codes: `FORBIDDEN` (the tenant is not registered, or your app's policy no longer allows the tenant, the provider or a",
  "  capability), `CAPABILITY_UNAVAILABLE` (the provider registration no longer serves your app), `AUTHORIZATION_SUSPENDED`",
  "  (the provider registration is paused), `RECONNECT_REQUIRED` (the grant has ended), `NOT_FOUND` (erased, or not this",
  "  scope's).",
  "  \"\"\"",
  "  connection(\"Whose it is.\" scope: SubjectScope!, \"`Connection.id`.\" id: ID!): Connection!",
  "",
  "  \"\"\"",
  "  A subject's connections in the tenant, in every status. Each row goes through the same check as `connection`: one that",
  "  fails makes the whole call fail with its code.",
  "",
  "  Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, as for `connection`.",
  "  \"\"\"",
  "  connections(",
  "    \"Whose they are.\"",
  "    scope: SubjectScope!",
  "    \"How many a page holds at most. 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the previous page.\"",
  "    after: String",
  "  ): ConnectionPage!",
  "",
  "  \"\"\"",
  "  Stored posts published in a window, newest first. Needs CONTENT_LIST.",
  "",
  "  Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE` (also when the connection lacks CONTENT_LIST), `AUTHORIZATION_SUSPENDED`",
  "  (also when SUSPENDED), `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS` (DISCONNECTED or DELETING), `NOT_FOUND`, as for",
  "  `connection`.",
  "  \"\"\"",
  "  content(",
  "    \"Whose connection it is.\"",
  "    scope: SubjectScope!",
  "    \"`Connection.id`.\"",
  "    connectionId: ID!",
  "    \"Which posts. At most 90 days.\"",
  "    window: ContentWindow!",
  "  ): ContentPage!",
  "",
  "  \"\"\"",
  "  One stored post, or null when we never read it. Needs CONTENT_LIST or CONTENT_LOOKUP. One last read over 30 days ago",
  "  comes with its fields null, UNAVAILABLE, reason EXPIRED and no metrics.",
  "",
  "  Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`,",
  "  `NOT_FOUND` (the connection), as for `content`.",
  "  \"\"\"",
  "  contentItem(",
  "    \"Whose connection it is.\"",
  "    scope: SubjectScope!",
  "    \"`Connection.id`.\"",
  "    connectionId: ID!",
  "    \"`ContentItem.providerContentId`.\"",
  "    providerContentId: String!",
  "  ): ContentItem",
  "",
  "  \"\"\"",
  "  A job: a scan, metrics refresh or lookup for 7 days after it finished, a revoke or erase for 7 days after its creation,",
  "  even when the connection is erased.",
  "",
  "  Codes: `NOT_FOUND` (no such job of this connection in this scope, or no longer kept; also when the tenant is not",
  "  registered).",
  "  \"\"\"",
  "  syncJob(",
  "    \"Whose connection it is.\"",
  "    scope: SubjectScope!",
  "    \"The connection the job is about; for a revoke or erase the one that was disconnected.\"",
  "    connectionId: ID!",
  "    \"`SyncJob.id`, or `DisconnectResult.revokeJobId` or `eraseJobId`.\"",
  "    id: ID!",
  "  ): SyncJob!",
  "}",
  "",
  "\"What can be asked for. Nothing here waits for a provider: poll the result.\"",
  "type Mutation {",
  "  \"\"\"",
  "  Creates a Connect attempt. Save its `id` with the signed-in user's session, then let the browser post `launchToken` to",
  "  `launchUrl`.",
  "",
  "  Codes: `FORBIDDEN` (the tenant is not registered, your app's policy does not allow this, or for a while after a",
  "  PROVIDER_A or PROVIDER_B disconnect: try again once its revoke has settled), `NOT_FOUND` (the connection to renew),",
  "  `DISCONNECT_IN_PROGRESS` (the connection to renew is DISCONNECTED), `RATE_LIMITED` (the subject has 5 unfinished",
  "  attempts at this provider).",
  "  \"\"\"",
  "  createConnectSession(\"What to connect.\" input: ConnectInput!): ConnectSession!",
  "",
  "  \"\"\"",
  "  Creates a sign-in at the identity provider. Keep `resultProof` on your server and let the browser post `launchToken` to",
  "  `launchUrl`.",
  "",
  "  Codes: `CAPABILITY_UNAVAILABLE` (the identity flow is not set up for your app), `FORBIDDEN` (the tenant is not",
  "  registered), `RATE_LIMITED` (your app has 20 unfinished sign-ins).",
  "  \"\"\"",
  "  createIdpIdentitySession(\"Where to sign somebody in.\" input: IdpIdentityInput!): IdpIdentitySession!",
  "",
  "  \"\"\"",
  "  Reads the result of a sign-in, once. While PENDING nothing is spent; any other status spends the proof.",
  "",
  "  Codes: `NOT_FOUND` (no such sign-in for this tenant and proof, redeemed already, or no longer kept; also when the tenant",
  "  is not registered).",
  "  \"\"\"",
  "  redeemIdpIdentityResult(",
  "    \"`IdpIdentitySession.id`.\"",
  "    id: ID!",
  "    \"The tenant the sign-in was created for. 1 to 128 characters.\"",
  "    tenantKey: String!",
  "    \"`IdpIdentitySession.resultProof`.\"",
  "    resultProof: String!",
  "  ): IdpIdentityResult!",
  "",
  "  \"\"\"",
  "  Stops access at once, and starts the revoke at the provider and the erase of what we hold. Until the erase is done a",
  "  second call returns the same jobs.",
  "",
  "  Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (erased, or not this scope's).",
  "  \"\"\"",
  "  disconnectConnection(",
  "    \"Whose connection it is.\"",
  "    scope: SubjectScope!",
  "    \"`Connection.id`.\"",
  "    connectionId: ID!",
  "  ): DisconnectResult!",
  "",
  "  \"\"\"",
  "  Queues a scan, or with `providerContentId` a refresh of one post's metrics. A scan needs CONTENT_LIST, a refresh",
  "  CONTENT_METRICS. The same window or post asked for while one is in flight gives the job in flight.",
  "",
  "  Codes: `SYNC_WINDOW_BUSY` (a scan of another window is in flight), `RATE_LIMITED` (your app has more than 20 read jobs",
  "  in flight; retryAfterSeconds is 60), `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`,",
  "  `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for `content`; `NOT_FOUND` also for a post not stored.",
  "  \"\"\"",
  "  requestRefresh(",
  "    \"Whose connection it is.\"",
  "    scope: SubjectScope!",
  "    \"`Connection.id`.\"",
  "    connectionId: ID!",
  "    \"The post whose metrics to read. Neither window nor cursor may come with it.\"",
  "    providerContentId: String",
  "    \"Which posts to scan, at most 90 days. The last 7 days when left out.\"",
  "    window: SyncWindow",
  "    \"`SyncJob.continuationCursor` of the scan to go on with. A window passed as well must equal that scan's.\"",
  "    continuationCursor: String",
  "  ): SyncJob!",
  "",
  "  \"\"\"",
  "  Queues a lookup of one post by its URL. Needs CONTENT_LOOKUP. Once it has succeeded, read the post with `contentItem`",
  "  and look at its availability.",
  "",
  "  Codes: `RATE_LIMITED` (your app has more than 20 read jobs in flight; retryAfterSeconds is 60), `FORBIDDEN`,",
  "  `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for",
  "  `content`.",
  "  \"\"\"",
  "  requestContentLookup(",
  "    \"Whose connection it is.\"",
  "    scope: SubjectScope!",
  "    \"`Connection.id`.\"",
  "    connectionId: ID!",
  "    \"The post's page: HTTPS, without credentials, port or fragment, at most 2,048 characters.\"",
  "    url: String!",
  "  ): SyncJob!",
  "}",
  ""
].join('\n');
