// Generated from schema.graphql by `npm run codegen`; do not edit.
import type { CallOptions } from '../client.js';

export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
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
  DateTime: { input: string; output: string; }
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
  readonly tenantKey: Scalars['String']['input'];
  /** Your own id of the user within the tenant. 1 to 128 characters. */
  readonly externalSubjectId: Scalars['String']['input'];
};

/** What to connect. */
export type ConnectInput = {
  /** Whose account it will be. The tenant must be registered. */
  readonly scope: SubjectScope;
  /** Must be one your app may use. */
  readonly provider: SocialProvider;
  /** At least one, none twice, all of them allowed for your app. */
  readonly capabilities: ReadonlyArray<Capability>;
  /**
   * Where the browser goes afterwards: exactly one of your app's registered return URLs, without a fragment and without a
   * query parameter whose name begins with `ss_`. It comes back with `ss_session_id` added.
   */
  readonly returnUrl: Scalars['String']['input'];
  /**
   * The connection to renew, which keeps its id: one in the same scope and at the same provider that is CONNECTED,
   * SUSPENDED or RECONNECT_REQUIRED.
   */
  readonly reconnectConnectionId?: InputMaybe<Scalars['ID']['input']>;
};

/** Where to sign somebody in. */
export type IdpIdentityInput = {
  /** One of the tenant keys registered for your app. 1 to 128 characters. */
  readonly tenantKey: Scalars['String']['input'];
  /** Exactly your app's registered identity return URL. */
  readonly returnUrl: Scalars['String']['input'];
};

/** Which posts to scan. */
export type SyncWindow = {
  /** Posts published at this instant or later. */
  readonly publishedAfter: Scalars['DateTime']['input'];
  /**
   * Posts published before this instant, which is after `publishedAfter` and at most 90 days later. A window that ends now
   * is read up to the moment its first page is asked for.
   */
  readonly publishedBefore: Scalars['DateTime']['input'];
  /** Read no more posts than this. 1 to 100. */
  readonly maxItems?: InputMaybe<Scalars['Int']['input']>;
};

/** Which stored posts to list. */
export type ContentWindow = {
  /** Posts published at this instant or later. */
  readonly publishedAfter: Scalars['DateTime']['input'];
  /** Posts published before this instant, which is after `publishedAfter` and at most 90 days later. */
  readonly publishedBefore: Scalars['DateTime']['input'];
  /** How many posts a page holds at most. 1 to 50. */
  readonly first: Scalars['Int']['input'];
  /** `pageInfo.endCursor` of the previous page of the same window. */
  readonly after?: InputMaybe<Scalars['String']['input']>;
};

/** Whether the service answers. */
export type ApiStatus = {
  /** Always true: whoever reads it has been answered. */
  readonly ok: Scalars['Boolean']['output'];
  /** A sentence for a person. */
  readonly message: Scalars['String']['output'];
};

/** What your app could start now, by policy and configuration. No proof that a live consent will succeed. */
export type IntegrationReadiness = {
  /** One entry for each provider. */
  readonly providers: ReadonlyArray<ProviderReadiness>;
  /** Whether your app can start the identity flow. */
  readonly idpIdentityAvailable: Scalars['Boolean']['output'];
};

/** Whether a Connect attempt can be started at a provider. */
export type ProviderReadiness = {
  /** PROVIDER_A, PROVIDER_B or PROVIDER_C. */
  readonly provider: Scalars['String']['output'];
  /** Whether your app's policy and the service's configuration allow an attempt. */
  readonly available: Scalars['Boolean']['output'];
};

/** A Connect attempt just created. */
export type ConnectSession = {
  /** Save it with the signed-in user's session before the browser leaves. */
  readonly id: Scalars['ID']['output'];
  /** Post the launch token here, from a form in the browser. */
  readonly launchUrl: Scalars['String']['output'];
  /** Good for one use: 64 hexadecimal characters, for the form field `launchToken` and nothing else. */
  readonly launchToken: Scalars['String']['output'];
  /** The attempt has to be finished by then: 10 minutes after its creation. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** The result can be read until then: 24 hours after its creation. */
  readonly resultExpiresAt: Scalars['DateTime']['output'];
};

/** How a Connect attempt stands or ended. */
export type ConnectSessionResult = {
  /** As `ConnectSession.id`. */
  readonly id: Scalars['ID']['output'];
  /** The provider asked for. */
  readonly provider: SocialProvider;
  /** How far the attempt has come. */
  readonly status: ConnectSessionStatus;
  /**
   * Why it ended so: ACCESS_DENIED, MISSING_PERMISSION, PARTIAL_PERMISSION (completed with fewer capabilities than asked),
   * ACCOUNT_MISMATCH (a reconnect came back with another account), ACCOUNT_DISCONNECTING, EXCHANGE_FAILED,
   * PROVIDER_UNAVAILABLE, REGISTRATION_PAUSED, POLICY_CHANGED, EXPIRED or CANCELED. Null while unfinished and when there
   * is nothing to add. More may come.
   */
  readonly resultCode: Maybe<Scalars['String']['output']>;
  /** The connection, once COMPLETED. */
  readonly connectionId: Maybe<Scalars['ID']['output']>;
  /**
   * What the account's owner has to do at the provider, if anything. On an EXPIRED or CANCELED attempt it may still be set
   * later, once: a grant may turn out to live on at the provider. Nothing else of a result changes.
   */
  readonly creatorAction: Maybe<ConnectCreatorAction>;
  /** The attempt has to be finished by then. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** The result can be read until then. */
  readonly resultExpiresAt: Scalars['DateTime']['output'];
};

/** A sign-in just created. */
export type IdpIdentitySession = {
  /** Keep it with the browser's session. */
  readonly id: Scalars['ID']['output'];
  /** Post the launch token here, from a form in the browser. */
  readonly launchUrl: Scalars['String']['output'];
  /** Good for one use, for the form field `launchToken` and nothing else. */
  readonly launchToken: Scalars['String']['output'];
  /** Redeems the result. It stays on your server. */
  readonly resultProof: Scalars['String']['output'];
  /** The sign-in has to be finished by then: 10 minutes after its creation. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** The result can be redeemed until then: 20 minutes after its creation. */
  readonly resultExpiresAt: Scalars['DateTime']['output'];
};

/** How a sign-in stands or ended. All but `status` is null unless it COMPLETED. */
export type IdpIdentityResult = {
  /** How far the sign-in has come. */
  readonly status: IdpIdentityStatus;
  /** The identity provider's issuer URL. */
  readonly issuer: Maybe<Scalars['String']['output']>;
  /** The identity provider's stable id of the person. Key your user on `issuer` plus `idpSub`, never on the e-mail address. */
  readonly idpSub: Maybe<Scalars['String']['output']>;
  /** The e-mail address, if the identity provider gave one. */
  readonly email: Maybe<Scalars['String']['output']>;
  /** Whether the identity provider says that it verified the address. */
  readonly emailVerified: Maybe<Scalars['Boolean']['output']>;
  /** The person's name, if given. */
  readonly name: Maybe<Scalars['String']['output']>;
  /** The address of a picture, if given. */
  readonly pictureUrl: Maybe<Scalars['String']['output']>;
};

/** The standing link between a scope and an account. */
export type Connection = {
  /** Stays the same when reconnected. */
  readonly id: Scalars['ID']['output'];
  /** Where the account is. */
  readonly provider: SocialProvider;
  /** The provider's own id of the account: a channel ID (PROVIDER_A), an open_id (PROVIDER_B), a user ID (PROVIDER_C). */
  readonly providerAccountId: Scalars['String']['output'];
  /** Whether it can be used. */
  readonly status: ConnectionStatus;
  /** How fresh its posts are. */
  readonly syncStatus: SyncStatus;
  /** One entry for each capability granted. */
  readonly capabilities: ReadonlyArray<CapabilityState>;
  /** Null unless CONNECTED, with PROFILE available and a profile under 30 days old. */
  readonly profile: Maybe<Profile>;
  /**
   * When the last successful scan asked for its first page; for one that was continued, when the first of its chain did. It
   * knows no post published later. Null unless CONNECTED.
   */
  readonly lastSuccessfulSyncAt: Maybe<Scalars['DateTime']['output']>;
  /** When a failed scan will be tried again, always in the future. Null unless CONNECTED and one waits. */
  readonly nextRetryAt: Maybe<Scalars['DateTime']['output']>;
};

/** How one granted capability stands. */
export type CapabilityState = {
  /** Which capability. */
  readonly capability: Capability;
  /** Whether it can be used. */
  readonly availability: Availability;
  /** Why it is not AVAILABLE. */
  readonly reason: Maybe<Scalars['String']['output']>;
};

/** An account's profile as last read. */
export type Profile = {
  /** The provider's own id of the account. */
  readonly providerAccountId: Scalars['String']['output'];
  /** The name shown. */
  readonly displayName: Maybe<Scalars['String']['output']>;
  /** The handle, as the provider writes it: PROVIDER_A's begins with an @, the others' do not. */
  readonly handle: Maybe<Scalars['String']['output']>;
  /** The address of the picture. It may expire at the provider. */
  readonly avatarUrl: Maybe<Scalars['String']['output']>;
  /** The address of the account's page. */
  readonly profileUrl: Maybe<Scalars['String']['output']>;
  /** What the account says of itself. */
  readonly description: Maybe<Scalars['String']['output']>;
  /** When we read it. */
  readonly observedAt: Scalars['DateTime']['output'];
};

/** One metric of a post as last read. */
export type MetricObservation = {
  /** What it counts. */
  readonly name: MetricName;
  /** The count, or null when there is none. Null is not zero. */
  readonly value: Maybe<Scalars['DecimalCount']['output']>;
  /** Whether the provider gives it. */
  readonly availability: Availability;
  /** Why it is not AVAILABLE. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** The provider's own name of the field it comes from. */
  readonly sourceField: Maybe<Scalars['String']['output']>;
  /** When we read it. */
  readonly observedAt: Scalars['DateTime']['output'];
};

/** A post as last read. */
export type ContentItem = {
  /** Our id of the post. */
  readonly id: Scalars['ID']['output'];
  /** The provider's id of the post, which `contentItem` and `requestRefresh` take. */
  readonly providerContentId: Scalars['String']['output'];
  /** Where the post is. */
  readonly provider: SocialProvider;
  /** What it is made of. */
  readonly kind: ContentKind;
  /** The address of the post's page. */
  readonly canonicalUrl: Maybe<Scalars['String']['output']>;
  /** The address of a preview, which may expire at the provider. Always null for PROVIDER_A, at times for PROVIDER_C images. */
  readonly thumbnailUrl: Maybe<Scalars['String']['output']>;
  /** The title. Always null for PROVIDER_C. */
  readonly title: Maybe<Scalars['String']['output']>;
  /** The text. */
  readonly description: Maybe<Scalars['String']['output']>;
  /** When it was published. */
  readonly publishedAt: Maybe<Scalars['DateTime']['output']>;
  /** Whether it can still be had. */
  readonly availability: Availability;
  /** Why it is not AVAILABLE, such as EXPIRED (we last read it over 30 days ago) or CONTENT_NOT_FOUND. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** When we last read it. */
  readonly observedAt: Scalars['DateTime']['output'];
  /** Empty unless the connection has CONTENT_METRICS. */
  readonly metrics: ReadonlyArray<MetricObservation>;
};

/** Where a page of posts stands in its window. */
export type PageInfo = {
  /** Pass it as `after` to get the next page. Null on an empty page. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there are more posts. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /**
   * True only when scans that finished in the last 24 hours covered the whole window. A scan covers nothing published after
   * it asked for its first page, so a window that ends later than `lastSuccessfulSyncAt` is never complete.
   */
  readonly completeForWindow: Scalars['Boolean']['output'];
  /** Why it is not complete: NEVER_SCANNED, SCAN_RUNNING, SCAN_STALE, SCAN_FAILED or PARTLY_SCANNED. More may come. */
  readonly incompleteReason: Maybe<Scalars['String']['output']>;
};

/** A page of stored posts, newest first. */
export type ContentPage = {
  /** Posts read in the last 30 days. */
  readonly items: ReadonlyArray<ContentItem>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** As `Connection.lastSuccessfulSyncAt`. Pass it as `publishedBefore` to read what the last scan covered. */
  readonly lastSuccessfulSyncAt: Maybe<Scalars['DateTime']['output']>;
};

/** Where a page of connections stands. */
export type ConnectionPageInfo = {
  /** Pass it as `after` to get the next page. Null on an empty page. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there are more connections. */
  readonly hasNextPage: Scalars['Boolean']['output'];
};

/** A page of a subject's connections. */
export type ConnectionPage = {
  /** In every status, until a disconnected one is erased. */
  readonly items: ReadonlyArray<Connection>;
  /** Where the page stands. */
  readonly pageInfo: ConnectionPageInfo;
};

/** Work done in the background: a scan, a metrics refresh, a lookup, a revoke or an erase. */
export type SyncJob = {
  /** Read the job again by it. */
  readonly id: Scalars['ID']['output'];
  /** How far it has come. */
  readonly status: JobStatus;
  /** When it will be tried again, always in the future. Null unless it waits. */
  readonly nextRetryAt: Maybe<Scalars['DateTime']['output']>;
  /**
   * Why it failed, or has to wait: PROVIDER_UNAVAILABLE, PROVIDER_RATE_LIMITED, RECONNECT_REQUIRED, CAPABILITY_UNAVAILABLE,
   * AUTHORIZATION_SUSPENDED, CONTENT_NOT_FOUND, UNSUPPORTED_URL, CONNECTION_DISCONNECTED, PROVIDER_CONTRACT or INTERNAL.
   * More may come.
   */
  readonly errorCode: Maybe<Scalars['String']['output']>;
  /** On a revoke: what the account's owner has to do at the provider, if anything. */
  readonly creatorAction: Maybe<ConnectCreatorAction>;
  /** On a successful lookup: the post, to be read with `contentItem`. */
  readonly resultProviderContentId: Maybe<Scalars['String']['output']>;
  /** On a scan that has ended: whether it read its whole window, as of when it asked for its first page. */
  readonly completeForWindow: Maybe<Scalars['Boolean']['output']>;
  /**
   * On a scan: why it did not cover its window: MAX_ITEMS, PROVIDER_LIMIT or PROVIDER_UNAVAILABLE. On a lookup: why the
   * post is not available. More may come.
   */
  readonly incompleteReason: Maybe<Scalars['String']['output']>;
  /** On a successful incomplete scan less than 24 hours old: pass it to `requestRefresh` to go on. */
  readonly continuationCursor: Maybe<Scalars['String']['output']>;
};

/** What a disconnect has started. */
export type DisconnectResult = {
  /** Whether access has stopped. */
  readonly accepted: Scalars['Boolean']['output'];
  /** The connection, by which both jobs are read. */
  readonly connectionId: Scalars['ID']['output'];
  /** True until the revoke job succeeds. */
  readonly upstreamRevocationPending: Scalars['Boolean']['output'];
  /** The job that revokes the grant at the provider. It can be read for 7 days. */
  readonly revokeJobId: Scalars['ID']['output'];
  /** The job that erases what we hold. It can be read for 7 days. */
  readonly eraseJobId: Scalars['ID']['output'];
};

/** What can be read. */
export type Query = {
  /** Whether the service answers. Needs no key. Adds no codes. */
  readonly status: ApiStatus;
  /** What your app could start now. Adds no codes. */
  readonly integrationReadiness: IntegrationReadiness;
  /**
   * How a Connect attempt stands, until 24 hours after its creation. Reading an unfinished one past `expiresAt` gives EXPIRED.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (no such attempt in this scope, or its result is no
   * longer kept).
   */
  readonly connectSessionResult: ConnectSessionResult;
  /**
   * One connection. A CONNECTED one is checked on every read; in another status it is returned with a null profile.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered, or your app's policy no longer allows the tenant, the provider or a
   * capability), `CAPABILITY_UNAVAILABLE` (the provider registration no longer serves your app), `AUTHORIZATION_SUSPENDED`
   * (the provider registration is paused), `RECONNECT_REQUIRED` (the grant has ended), `NOT_FOUND` (erased, or not this
   * scope's).
   */
  readonly connection: Connection;
  /**
   * A subject's connections in the tenant, in every status. Each row goes through the same check as `connection`: one that
   * fails makes the whole call fail with its code.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, as for `connection`.
   */
  readonly connections: ConnectionPage;
  /**
   * Stored posts published in a window, newest first. Needs CONTENT_LIST.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE` (also when the connection lacks CONTENT_LIST), `AUTHORIZATION_SUSPENDED`
   * (also when SUSPENDED), `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS` (DISCONNECTED or DELETING), `NOT_FOUND`, as for
   * `connection`.
   */
  readonly content: ContentPage;
  /**
   * One stored post, or null when we never read it. Needs CONTENT_LIST or CONTENT_LOOKUP. One last read over 30 days ago
   * comes with its fields null, UNAVAILABLE, reason EXPIRED and no metrics.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`,
   * `NOT_FOUND` (the connection), as for `content`.
   */
  readonly contentItem: Maybe<ContentItem>;
  /**
   * A job: a scan, metrics refresh or lookup for 7 days after it finished, a revoke or erase for 7 days after its creation,
   * even when the connection is erased.
   *
   * Codes: `NOT_FOUND` (no such job of this connection in this scope, or no longer kept; also when the tenant is not
   * registered).
   */
  readonly syncJob: SyncJob;
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
  after?: InputMaybe<Scalars['String']['input']>;
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
  readonly createConnectSession: ConnectSession;
  /**
   * Creates a sign-in at the identity provider. Keep `resultProof` on your server and let the browser post `launchToken` to
   * `launchUrl`.
   *
   * Codes: `CAPABILITY_UNAVAILABLE` (the identity flow is not set up for your app), `FORBIDDEN` (the tenant is not
   * registered), `RATE_LIMITED` (your app has 20 unfinished sign-ins).
   */
  readonly createIdpIdentitySession: IdpIdentitySession;
  /**
   * Reads the result of a sign-in, once. While PENDING nothing is spent; any other status spends the proof.
   *
   * Codes: `NOT_FOUND` (no such sign-in for this tenant and proof, redeemed already, or no longer kept; also when the tenant
   * is not registered).
   */
  readonly redeemIdpIdentityResult: IdpIdentityResult;
  /**
   * Stops access at once, and starts the revoke at the provider and the erase of what we hold. Until the erase is done a
   * second call returns the same jobs.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (erased, or not this scope's).
   */
  readonly disconnectConnection: DisconnectResult;
  /**
   * Queues a scan, or with `providerContentId` a refresh of one post's metrics. A scan needs CONTENT_LIST, a refresh
   * CONTENT_METRICS. The same window or post asked for while one is in flight gives the job in flight.
   *
   * Codes: `SYNC_WINDOW_BUSY` (a scan of another window is in flight), `RATE_LIMITED` (your app has more than 20 read jobs
   * in flight; retryAfterSeconds is 60), `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`,
   * `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for `content`; `NOT_FOUND` also for a post not stored.
   */
  readonly requestRefresh: SyncJob;
  /**
   * Queues a lookup of one post by its URL. Needs CONTENT_LOOKUP. Once it has succeeded, read the post with `contentItem`
   * and look at its availability.
   *
   * Codes: `RATE_LIMITED` (your app has more than 20 read jobs in flight; retryAfterSeconds is 60), `FORBIDDEN`,
   * `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for
   * `content`.
   */
  readonly requestContentLookup: SyncJob;
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
  providerContentId?: InputMaybe<Scalars['String']['input']>;
  window?: InputMaybe<SyncWindow>;
  continuationCursor?: InputMaybe<Scalars['String']['input']>;
};


/** What can be asked for. Nothing here waits for a provider: poll the result. */
export type MutationRequestContentLookupArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  url: Scalars['String']['input'];
};

/** Every operation of the service. Each method throws `ServiceError`. */
export interface Operations {
  /**
   * Whether the service answers. Needs no key. Adds no codes.
   */
  status(options?: CallOptions): Promise<Query['status']>;

  /**
   * What your app could start now. Adds no codes.
   */
  integrationReadiness(options?: CallOptions): Promise<Query['integrationReadiness']>;

  /**
   * How a Connect attempt stands, until 24 hours after its creation. Reading an unfinished one past `expiresAt` gives EXPIRED.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (no such attempt in this scope, or its result is no
   * longer kept).
   */
  connectSessionResult(args: QueryConnectSessionResultArgs, options?: CallOptions): Promise<Query['connectSessionResult']>;

  /**
   * One connection. A CONNECTED one is checked on every read; in another status it is returned with a null profile.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered, or your app's policy no longer allows the tenant, the provider or a
   * capability), `CAPABILITY_UNAVAILABLE` (the provider registration no longer serves your app), `AUTHORIZATION_SUSPENDED`
   * (the provider registration is paused), `RECONNECT_REQUIRED` (the grant has ended), `NOT_FOUND` (erased, or not this
   * scope's).
   */
  connection(args: QueryConnectionArgs, options?: CallOptions): Promise<Query['connection']>;

  /**
   * A subject's connections in the tenant, in every status. Each row goes through the same check as `connection`: one that
   * fails makes the whole call fail with its code.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, as for `connection`.
   */
  connections(args: QueryConnectionsArgs, options?: CallOptions): Promise<Query['connections']>;

  /**
   * Stored posts published in a window, newest first. Needs CONTENT_LIST.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE` (also when the connection lacks CONTENT_LIST), `AUTHORIZATION_SUSPENDED`
   * (also when SUSPENDED), `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS` (DISCONNECTED or DELETING), `NOT_FOUND`, as for
   * `connection`.
   */
  content(args: QueryContentArgs, options?: CallOptions): Promise<Query['content']>;

  /**
   * One stored post, or null when we never read it. Needs CONTENT_LIST or CONTENT_LOOKUP. One last read over 30 days ago
   * comes with its fields null, UNAVAILABLE, reason EXPIRED and no metrics.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`,
   * `NOT_FOUND` (the connection), as for `content`.
   */
  contentItem(args: QueryContentItemArgs, options?: CallOptions): Promise<Query['contentItem']>;

  /**
   * A job: a scan, metrics refresh or lookup for 7 days after it finished, a revoke or erase for 7 days after its creation,
   * even when the connection is erased.
   *
   * Codes: `NOT_FOUND` (no such job of this connection in this scope, or no longer kept; also when the tenant is not
   * registered).
   */
  syncJob(args: QuerySyncJobArgs, options?: CallOptions): Promise<Query['syncJob']>;

  /**
   * Creates a Connect attempt. Save its `id` with the signed-in user's session, then let the browser post `launchToken` to
   * `launchUrl`.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered, your app's policy does not allow this, or for a while after a
   * PROVIDER_A or PROVIDER_B disconnect: try again once its revoke has settled), `NOT_FOUND` (the connection to renew),
   * `DISCONNECT_IN_PROGRESS` (the connection to renew is DISCONNECTED), `RATE_LIMITED` (the subject has 5 unfinished
   * attempts at this provider).
   */
  createConnectSession(args: MutationCreateConnectSessionArgs, options?: CallOptions): Promise<Mutation['createConnectSession']>;

  /**
   * Creates a sign-in at the identity provider. Keep `resultProof` on your server and let the browser post `launchToken` to
   * `launchUrl`.
   *
   * Codes: `CAPABILITY_UNAVAILABLE` (the identity flow is not set up for your app), `FORBIDDEN` (the tenant is not
   * registered), `RATE_LIMITED` (your app has 20 unfinished sign-ins).
   */
  createIdpIdentitySession(args: MutationCreateIdpIdentitySessionArgs, options?: CallOptions): Promise<Mutation['createIdpIdentitySession']>;

  /**
   * Reads the result of a sign-in, once. While PENDING nothing is spent; any other status spends the proof.
   *
   * Codes: `NOT_FOUND` (no such sign-in for this tenant and proof, redeemed already, or no longer kept; also when the tenant
   * is not registered).
   */
  redeemIdpIdentityResult(args: MutationRedeemIdpIdentityResultArgs, options?: CallOptions): Promise<Mutation['redeemIdpIdentityResult']>;

  /**
   * Stops access at once, and starts the revoke at the provider and the erase of what we hold. Until the erase is done a
   * second call returns the same jobs.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (erased, or not this scope's).
   */
  disconnectConnection(args: MutationDisconnectConnectionArgs, options?: CallOptions): Promise<Mutation['disconnectConnection']>;

  /**
   * Queues a scan, or with `providerContentId` a refresh of one post's metrics. A scan needs CONTENT_LIST, a refresh
   * CONTENT_METRICS. The same window or post asked for while one is in flight gives the job in flight.
   *
   * Codes: `SYNC_WINDOW_BUSY` (a scan of another window is in flight), `RATE_LIMITED` (your app has more than 20 read jobs
   * in flight; retryAfterSeconds is 60), `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`,
   * `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for `content`; `NOT_FOUND` also for a post not stored.
   */
  requestRefresh(args: MutationRequestRefreshArgs, options?: CallOptions): Promise<Mutation['requestRefresh']>;

  /**
   * Queues a lookup of one post by its URL. Needs CONTENT_LOOKUP. Once it has succeeded, read the post with `contentItem`
   * and look at its availability.
   *
   * Codes: `RATE_LIMITED` (your app has more than 20 read jobs in flight; retryAfterSeconds is 60), `FORBIDDEN`,
   * `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for
   * `content`.
   */
  requestContentLookup(args: MutationRequestContentLookupArgs, options?: CallOptions): Promise<Mutation['requestContentLookup']>;
}

export const OPERATIONS = {
  status: { kind: 'query', takesArguments: false, document: "query status_query { status { ok message } }" },
  integrationReadiness: { kind: 'query', takesArguments: false, document: "query integrationReadiness_query { integrationReadiness { providers { provider available } idpIdentityAvailable } }" },
  connectSessionResult: { kind: 'query', takesArguments: true, document: "query connectSessionResult_query($scope: SubjectScope!, $id: ID!) { connectSessionResult(scope: $scope, id: $id) { id provider status resultCode connectionId creatorAction expiresAt resultExpiresAt } }" },
  connection: { kind: 'query', takesArguments: true, document: "query connection_query($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) { id provider providerAccountId status syncStatus capabilities { capability availability reason } profile { providerAccountId displayName handle avatarUrl profileUrl description observedAt } lastSuccessfulSyncAt nextRetryAt } }" },
  connections: { kind: 'query', takesArguments: true, document: "query connections_query($scope: SubjectScope!, $first: Int = 20, $after: String) { connections(scope: $scope, first: $first, after: $after) { items { id provider providerAccountId status syncStatus capabilities { capability availability reason } profile { providerAccountId displayName handle avatarUrl profileUrl description observedAt } lastSuccessfulSyncAt nextRetryAt } pageInfo { endCursor hasNextPage } } }" },
  content: { kind: 'query', takesArguments: true, document: "query content_query($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) { content(scope: $scope, connectionId: $connectionId, window: $window) { items { id providerContentId provider kind canonicalUrl thumbnailUrl title description publishedAt availability reason observedAt metrics { name value availability reason sourceField observedAt } } pageInfo { endCursor hasNextPage completeForWindow incompleteReason } lastSuccessfulSyncAt } }" },
  contentItem: { kind: 'query', takesArguments: true, document: "query contentItem_query($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String!) { contentItem( scope: $scope connectionId: $connectionId providerContentId: $providerContentId ) { id providerContentId provider kind canonicalUrl thumbnailUrl title description publishedAt availability reason observedAt metrics { name value availability reason sourceField observedAt } } }" },
  syncJob: { kind: 'query', takesArguments: true, document: "query syncJob_query($scope: SubjectScope!, $connectionId: ID!, $id: ID!) { syncJob(scope: $scope, connectionId: $connectionId, id: $id) { id status nextRetryAt errorCode creatorAction resultProviderContentId completeForWindow incompleteReason continuationCursor } }" },
  createConnectSession: { kind: 'mutation', takesArguments: true, document: "mutation createConnectSession_mutation($input: ConnectInput!) { createConnectSession(input: $input) { id launchUrl launchToken expiresAt resultExpiresAt } }" },
  createIdpIdentitySession: { kind: 'mutation', takesArguments: true, document: "mutation createIdpIdentitySession_mutation($input: IdpIdentityInput!) { createIdpIdentitySession(input: $input) { id launchUrl launchToken resultProof expiresAt resultExpiresAt } }" },
  redeemIdpIdentityResult: { kind: 'mutation', takesArguments: true, document: "mutation redeemIdpIdentityResult_mutation($id: ID!, $tenantKey: String!, $resultProof: String!) { redeemIdpIdentityResult( id: $id tenantKey: $tenantKey resultProof: $resultProof ) { status issuer idpSub email emailVerified name pictureUrl } }" },
  disconnectConnection: { kind: 'mutation', takesArguments: true, document: "mutation disconnectConnection_mutation($scope: SubjectScope!, $connectionId: ID!) { disconnectConnection(scope: $scope, connectionId: $connectionId) { accepted connectionId upstreamRevocationPending revokeJobId eraseJobId } }" },
  requestRefresh: { kind: 'mutation', takesArguments: true, document: "mutation requestRefresh_mutation($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String, $window: SyncWindow, $continuationCursor: String) { requestRefresh( scope: $scope connectionId: $connectionId providerContentId: $providerContentId window: $window continuationCursor: $continuationCursor ) { id status nextRetryAt errorCode creatorAction resultProviderContentId completeForWindow incompleteReason continuationCursor } }" },
  requestContentLookup: { kind: 'mutation', takesArguments: true, document: "mutation requestContentLookup_mutation($scope: SubjectScope!, $connectionId: ID!, $url: String!) { requestContentLookup(scope: $scope, connectionId: $connectionId, url: $url) { id status nextRetryAt errorCode creatorAction resultProviderContentId completeForWindow incompleteReason continuationCursor } }" },
} as const;
