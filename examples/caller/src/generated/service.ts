// Generated from operations.graphql by `npm run codegen`; do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A social platform. */
export type SocialProvider =
  /** The first provider. Its account id is a channel ID. */
  | 'PROVIDER_A'
  /** The second provider. Its account id is an open_id. */
  | 'PROVIDER_B'
  /** The third provider. Its account id is a user ID. */
  | 'PROVIDER_C';

/** A kind of data that a connection may read. */
export type Capability =
  /** Read the account's profile. */
  | 'PROFILE'
  /** Scan the account's posts, and list the stored ones. */
  | 'CONTENT_LIST'
  /** Look up one post by its URL. */
  | 'CONTENT_LOOKUP'
  /** Read the metrics of stored posts. */
  | 'CONTENT_METRICS';

/** Says whether data or a capability is available, and if not, why. */
export type Availability =
  /** It is available. */
  | 'AVAILABLE'
  /** The provider does not offer it. */
  | 'UNSUPPORTED'
  /** The person has not granted it, or has withdrawn it. */
  | 'NOT_GRANTED'
  /** It is not available now, or no longer. */
  | 'UNAVAILABLE';

/** The name of a metric. */
export type MetricName =
  /** The number of views. */
  | 'VIEWS'
  /** The number of likes. */
  | 'LIKES'
  /** The number of comments. */
  | 'COMMENTS'
  /** The number of shares. */
  | 'SHARES';

/** The kind of a post. */
export type ContentKind =
  /** A video. */
  | 'VIDEO'
  /** One image. */
  | 'IMAGE'
  /** Several images or videos in one post. */
  | 'CAROUSEL'
  /** Another kind, or unknown. */
  | 'UNKNOWN';

/** A step that only the owner of the account can do. */
export type ConnectCreatorAction =
  /** Remove the app in the account's settings at the provider: the grant may still exist there. */
  | 'REMOVE_APP_AT_PROVIDER';

/** The status of a Connect attempt. The first three are unfinished. */
export type ConnectSessionStatus =
  /** The browser has not yet posted the launch token. */
  | 'CREATED'
  /** The person is at the provider. */
  | 'AUTHORIZING'
  /** The person has returned, and the service exchanges the code for tokens. */
  | 'EXCHANGING'
  /** The account is connected; see `connectionId`. */
  | 'COMPLETED'
  /** The person or the provider denied access. */
  | 'DENIED'
  /** The attempt failed; see `resultCode`. */
  | 'FAILED'
  /** The attempt did not finish within 10 minutes. */
  | 'EXPIRED'
  /** The attempt was canceled; see `resultCode`. */
  | 'CANCELED';

/** The status of a connection. */
export type ConnectionStatus =
  /** The connection works. */
  | 'CONNECTED'
  /** On hold: a disconnect of another account may also have ended its grant. It resumes by itself. */
  | 'SUSPENDED'
  /** Its grant has ended. Connect again, with its id as `reconnectConnectionId`. */
  | 'RECONNECT_REQUIRED'
  /** Access has ended. The service revokes the grant. */
  | 'DISCONNECTED'
  /** The service erases the remaining data. */
  | 'DELETING';

/** Says how fresh a connection's stored posts are. */
export type SyncStatus =
  /** Not yet scanned. */
  | 'PENDING'
  /** A scan is running, or waits for its next try at `nextRetryAt`. */
  | 'RUNNING'
  /** The last scan was complete, or the connection lacks CONTENT_LIST and needs no scan. */
  | 'READY'
  /** The last scan did not read its whole window. */
  | 'PARTIAL'
  /** `lastSuccessfulSyncAt` is 24 hours ago or longer. */
  | 'STALE'
  /** The last scan failed and will not retry by itself. */
  | 'FAILED';

/** The status of a job. The last three are final. */
export type JobStatus =
  /** Not yet started. */
  | 'QUEUED'
  /** Running, or waiting to retry. */
  | 'RUNNING'
  /** The job succeeded. */
  | 'SUCCEEDED'
  /** The job gave up; see `errorCode`. */
  | 'FAILED'
  /** The job was canceled. */
  | 'CANCELED';

/** The status of a sign-in. */
export type IdpIdentityStatus =
  /** Not finished. Redeeming now does not spend the proof. */
  | 'PENDING'
  /** The person signed in. */
  | 'COMPLETED'
  /** The person or the identity provider denied access. */
  | 'DENIED'
  /** The sign-in failed. */
  | 'FAILED'
  /** The sign-in did not finish within 10 minutes. */
  | 'EXPIRED';

/**
 * The user that an account belongs to, by your own ids. Derive both values on your server from your own signed-in session,
 * never from browser input: the service trusts them.
 */
export type SubjectScope = {
  /** One of the tenant keys registered for your app. 1 to 128 characters. */
  readonly tenantKey: string;
  /** Your own id of the user within the tenant. 1 to 128 characters. */
  readonly externalSubjectId: string;
};

/** The account to connect. */
export type ConnectInput = {
  /** The user that the account belongs to. The tenant must be registered. */
  readonly scope: SubjectScope;
  /** A provider that your app may use. */
  readonly provider: SocialProvider;
  /** At least one capability, without duplicates. Your app's policy must allow all of them. */
  readonly capabilities: ReadonlyArray<Capability>;
  /**
   * The URL the browser returns to: exactly one of your app's registered return URLs, without a fragment and without a
   * query parameter whose name begins with `ss_`. The service adds `ss_session_id`.
   */
  readonly returnUrl: string;
  /**
   * The connection to reconnect. It keeps its id. It must be in the same scope and at the same provider, and CONNECTED,
   * SUSPENDED or RECONNECT_REQUIRED.
   */
  readonly reconnectConnectionId?: string | null | undefined;
};

/** The tenant and return URL of a sign-in. */
export type IdpIdentityInput = {
  /** One of the tenant keys registered for your app. 1 to 128 characters. */
  readonly tenantKey: string;
  /** Exactly your app's registered identity return URL. */
  readonly returnUrl: string;
};

/** The posts to scan. */
export type SyncWindow = {
  /** Posts published at this instant or later. */
  readonly publishedAfter: string;
  /**
   * Posts published before this instant, which is after `publishedAfter` and at most 90 days later. If the window ends now,
   * the scan reads up to the moment it requests its first page.
   */
  readonly publishedBefore: string;
  /** The most posts to read. 1 to 100. */
  readonly maxItems?: number | null | undefined;
};

/** The stored posts to list. */
export type ContentWindow = {
  /** Posts published at this instant or later. */
  readonly publishedAfter: string;
  /** Posts published before this instant, which is after `publishedAfter` and at most 90 days later. */
  readonly publishedBefore: string;
  /** The most posts on a page. 1 to 50. */
  readonly first: number;
  /** `pageInfo.endCursor` of the previous page of the same window. */
  readonly after?: string | null | undefined;
};

export type ReadinessQueryVariables = Exact<{ [key: string]: never; }>;


export type ReadinessQuery = { readonly integrationReadiness: { readonly idpIdentityAvailable: boolean, readonly providers: ReadonlyArray<{ readonly provider: string, readonly available: boolean }> } };

export type StartSignInMutationVariables = Exact<{
  input: IdpIdentityInput;
}>;


export type StartSignInMutation = { readonly createIdpIdentitySession: { readonly id: string, readonly launchUrl: string, readonly launchToken: string, readonly resultProof: string, readonly expiresAt: string } };

export type FinishSignInMutationVariables = Exact<{
  id: string;
  tenantKey: string;
  resultProof: string;
}>;


export type FinishSignInMutation = { readonly redeemIdpIdentityResult: { readonly status: IdpIdentityStatus, readonly issuer: string | null, readonly idpSub: string | null, readonly name: string | null } };

export type StartConnectMutationVariables = Exact<{
  input: ConnectInput;
}>;


export type StartConnectMutation = { readonly createConnectSession: { readonly id: string, readonly launchUrl: string, readonly launchToken: string, readonly expiresAt: string } };

export type ConnectResultQueryVariables = Exact<{
  scope: SubjectScope;
  id: string;
}>;


export type ConnectResultQuery = { readonly connectSessionResult: { readonly provider: SocialProvider, readonly status: ConnectSessionStatus, readonly resultCode: string | null, readonly connectionId: string | null, readonly creatorAction: ConnectCreatorAction | null } };

export type AccountFragment = { readonly id: string, readonly provider: SocialProvider, readonly status: ConnectionStatus, readonly syncStatus: SyncStatus, readonly providerAccountId: string, readonly lastSuccessfulSyncAt: string | null, readonly nextRetryAt: string | null, readonly capabilities: ReadonlyArray<{ readonly capability: Capability, readonly availability: Availability, readonly reason: string | null }>, readonly profile: { readonly displayName: string | null, readonly handle: string | null, readonly avatarUrl: string | null, readonly profileUrl: string | null, readonly description: string | null } | null };

export type AccountsQueryVariables = Exact<{
  scope: SubjectScope;
  after?: string | null | undefined;
}>;


export type AccountsQuery = { readonly connections: { readonly items: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly status: ConnectionStatus, readonly syncStatus: SyncStatus, readonly providerAccountId: string, readonly lastSuccessfulSyncAt: string | null, readonly nextRetryAt: string | null, readonly capabilities: ReadonlyArray<{ readonly capability: Capability, readonly availability: Availability, readonly reason: string | null }>, readonly profile: { readonly displayName: string | null, readonly handle: string | null, readonly avatarUrl: string | null, readonly profileUrl: string | null, readonly description: string | null } | null }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type OneAccountQueryVariables = Exact<{
  scope: SubjectScope;
  id: string;
}>;


export type OneAccountQuery = { readonly connection: { readonly id: string, readonly provider: SocialProvider, readonly status: ConnectionStatus, readonly syncStatus: SyncStatus, readonly providerAccountId: string, readonly lastSuccessfulSyncAt: string | null, readonly nextRetryAt: string | null, readonly capabilities: ReadonlyArray<{ readonly capability: Capability, readonly availability: Availability, readonly reason: string | null }>, readonly profile: { readonly displayName: string | null, readonly handle: string | null, readonly avatarUrl: string | null, readonly profileUrl: string | null, readonly description: string | null } | null } };

export type PostFragment = { readonly providerContentId: string, readonly provider: SocialProvider, readonly kind: ContentKind, readonly canonicalUrl: string | null, readonly thumbnailUrl: string | null, readonly title: string | null, readonly description: string | null, readonly publishedAt: string | null, readonly availability: Availability, readonly reason: string | null, readonly observedAt: string, readonly metrics: ReadonlyArray<{ readonly name: MetricName, readonly value: string | null, readonly availability: Availability, readonly reason: string | null, readonly observedAt: string }> };

export type PostsQueryVariables = Exact<{
  scope: SubjectScope;
  connectionId: string;
  window: ContentWindow;
}>;


export type PostsQuery = { readonly content: { readonly items: ReadonlyArray<{ readonly providerContentId: string, readonly provider: SocialProvider, readonly kind: ContentKind, readonly canonicalUrl: string | null, readonly thumbnailUrl: string | null, readonly title: string | null, readonly description: string | null, readonly publishedAt: string | null, readonly availability: Availability, readonly reason: string | null, readonly observedAt: string, readonly metrics: ReadonlyArray<{ readonly name: MetricName, readonly value: string | null, readonly availability: Availability, readonly reason: string | null, readonly observedAt: string }> }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean, readonly completeForWindow: boolean, readonly incompleteReason: string | null } } };

export type OnePostQueryVariables = Exact<{
  scope: SubjectScope;
  connectionId: string;
  providerContentId: string;
}>;


export type OnePostQuery = { readonly contentItem: { readonly providerContentId: string, readonly provider: SocialProvider, readonly kind: ContentKind, readonly canonicalUrl: string | null, readonly thumbnailUrl: string | null, readonly title: string | null, readonly description: string | null, readonly publishedAt: string | null, readonly availability: Availability, readonly reason: string | null, readonly observedAt: string, readonly metrics: ReadonlyArray<{ readonly name: MetricName, readonly value: string | null, readonly availability: Availability, readonly reason: string | null, readonly observedAt: string }> } | null };

export type JobFragment = { readonly id: string, readonly status: JobStatus, readonly nextRetryAt: string | null, readonly errorCode: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly resultProviderContentId: string | null, readonly completeForWindow: boolean | null, readonly incompleteReason: string | null, readonly continuationCursor: string | null };

export type OneJobQueryVariables = Exact<{
  scope: SubjectScope;
  connectionId: string;
  id: string;
}>;


export type OneJobQuery = { readonly syncJob: { readonly id: string, readonly status: JobStatus, readonly nextRetryAt: string | null, readonly errorCode: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly resultProviderContentId: string | null, readonly completeForWindow: boolean | null, readonly incompleteReason: string | null, readonly continuationCursor: string | null } };

export type ReadPostsMutationVariables = Exact<{
  scope: SubjectScope;
  connectionId: string;
  window?: SyncWindow | null | undefined;
  continuationCursor?: string | null | undefined;
}>;


export type ReadPostsMutation = { readonly requestRefresh: { readonly id: string } };

export type ReadMetricsMutationVariables = Exact<{
  scope: SubjectScope;
  connectionId: string;
  providerContentId: string;
}>;


export type ReadMetricsMutation = { readonly requestRefresh: { readonly id: string } };

export type LookUpMutationVariables = Exact<{
  scope: SubjectScope;
  connectionId: string;
  url: string;
}>;


export type LookUpMutation = { readonly requestContentLookup: { readonly id: string } };

export type DisconnectMutationVariables = Exact<{
  scope: SubjectScope;
  connectionId: string;
}>;


export type DisconnectMutation = { readonly disconnectConnection: { readonly revokeJobId: string, readonly eraseJobId: string } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const AccountFragmentDoc = new TypedDocumentString(`
    fragment Account on Connection {
  id
  provider
  status
  syncStatus
  providerAccountId
  lastSuccessfulSyncAt
  nextRetryAt
  capabilities {
    capability
    availability
    reason
  }
  profile {
    displayName
    handle
    avatarUrl
    profileUrl
    description
  }
}
    `, {"fragmentName":"Account"}) as unknown as TypedDocumentString<AccountFragment, unknown>;
export const PostFragmentDoc = new TypedDocumentString(`
    fragment Post on ContentItem {
  providerContentId
  provider
  kind
  canonicalUrl
  thumbnailUrl
  title
  description
  publishedAt
  availability
  reason
  observedAt
  metrics {
    name
    value
    availability
    reason
    observedAt
  }
}
    `, {"fragmentName":"Post"}) as unknown as TypedDocumentString<PostFragment, unknown>;
export const JobFragmentDoc = new TypedDocumentString(`
    fragment Job on SyncJob {
  id
  status
  nextRetryAt
  errorCode
  creatorAction
  resultProviderContentId
  completeForWindow
  incompleteReason
  continuationCursor
}
    `, {"fragmentName":"Job"}) as unknown as TypedDocumentString<JobFragment, unknown>;
export const ReadinessDocument = new TypedDocumentString(`
    query Readiness {
  integrationReadiness {
    providers {
      provider
      available
    }
    idpIdentityAvailable
  }
}
    `) as unknown as TypedDocumentString<ReadinessQuery, ReadinessQueryVariables>;
export const StartSignInDocument = new TypedDocumentString(`
    mutation StartSignIn($input: IdpIdentityInput!) {
  createIdpIdentitySession(input: $input) {
    id
    launchUrl
    launchToken
    resultProof
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<StartSignInMutation, StartSignInMutationVariables>;
export const FinishSignInDocument = new TypedDocumentString(`
    mutation FinishSignIn($id: ID!, $tenantKey: String!, $resultProof: String!) {
  redeemIdpIdentityResult(
    id: $id
    tenantKey: $tenantKey
    resultProof: $resultProof
  ) {
    status
    issuer
    idpSub
    name
  }
}
    `) as unknown as TypedDocumentString<FinishSignInMutation, FinishSignInMutationVariables>;
export const StartConnectDocument = new TypedDocumentString(`
    mutation StartConnect($input: ConnectInput!) {
  createConnectSession(input: $input) {
    id
    launchUrl
    launchToken
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<StartConnectMutation, StartConnectMutationVariables>;
export const ConnectResultDocument = new TypedDocumentString(`
    query ConnectResult($scope: SubjectScope!, $id: ID!) {
  connectSessionResult(scope: $scope, id: $id) {
    provider
    status
    resultCode
    connectionId
    creatorAction
  }
}
    `) as unknown as TypedDocumentString<ConnectResultQuery, ConnectResultQueryVariables>;
export const AccountsDocument = new TypedDocumentString(`
    query Accounts($scope: SubjectScope!, $after: String) {
  connections(scope: $scope, first: 50, after: $after) {
    items {
      ...Account
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    fragment Account on Connection {
  id
  provider
  status
  syncStatus
  providerAccountId
  lastSuccessfulSyncAt
  nextRetryAt
  capabilities {
    capability
    availability
    reason
  }
  profile {
    displayName
    handle
    avatarUrl
    profileUrl
    description
  }
}`) as unknown as TypedDocumentString<AccountsQuery, AccountsQueryVariables>;
export const OneAccountDocument = new TypedDocumentString(`
    query OneAccount($scope: SubjectScope!, $id: ID!) {
  connection(scope: $scope, id: $id) {
    ...Account
  }
}
    fragment Account on Connection {
  id
  provider
  status
  syncStatus
  providerAccountId
  lastSuccessfulSyncAt
  nextRetryAt
  capabilities {
    capability
    availability
    reason
  }
  profile {
    displayName
    handle
    avatarUrl
    profileUrl
    description
  }
}`) as unknown as TypedDocumentString<OneAccountQuery, OneAccountQueryVariables>;
export const PostsDocument = new TypedDocumentString(`
    query Posts($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) {
    items {
      ...Post
    }
    pageInfo {
      endCursor
      hasNextPage
      completeForWindow
      incompleteReason
    }
  }
}
    fragment Post on ContentItem {
  providerContentId
  provider
  kind
  canonicalUrl
  thumbnailUrl
  title
  description
  publishedAt
  availability
  reason
  observedAt
  metrics {
    name
    value
    availability
    reason
    observedAt
  }
}`) as unknown as TypedDocumentString<PostsQuery, PostsQueryVariables>;
export const OnePostDocument = new TypedDocumentString(`
    query OnePost($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String!) {
  contentItem(
    scope: $scope
    connectionId: $connectionId
    providerContentId: $providerContentId
  ) {
    ...Post
  }
}
    fragment Post on ContentItem {
  providerContentId
  provider
  kind
  canonicalUrl
  thumbnailUrl
  title
  description
  publishedAt
  availability
  reason
  observedAt
  metrics {
    name
    value
    availability
    reason
    observedAt
  }
}`) as unknown as TypedDocumentString<OnePostQuery, OnePostQueryVariables>;
export const OneJobDocument = new TypedDocumentString(`
    query OneJob($scope: SubjectScope!, $connectionId: ID!, $id: ID!) {
  syncJob(scope: $scope, connectionId: $connectionId, id: $id) {
    ...Job
  }
}
    fragment Job on SyncJob {
  id
  status
  nextRetryAt
  errorCode
  creatorAction
  resultProviderContentId
  completeForWindow
  incompleteReason
  continuationCursor
}`) as unknown as TypedDocumentString<OneJobQuery, OneJobQueryVariables>;
export const ReadPostsDocument = new TypedDocumentString(`
    mutation ReadPosts($scope: SubjectScope!, $connectionId: ID!, $window: SyncWindow, $continuationCursor: String) {
  requestRefresh(
    scope: $scope
    connectionId: $connectionId
    window: $window
    continuationCursor: $continuationCursor
  ) {
    id
  }
}
    `) as unknown as TypedDocumentString<ReadPostsMutation, ReadPostsMutationVariables>;
export const ReadMetricsDocument = new TypedDocumentString(`
    mutation ReadMetrics($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String!) {
  requestRefresh(
    scope: $scope
    connectionId: $connectionId
    providerContentId: $providerContentId
  ) {
    id
  }
}
    `) as unknown as TypedDocumentString<ReadMetricsMutation, ReadMetricsMutationVariables>;
export const LookUpDocument = new TypedDocumentString(`
    mutation LookUp($scope: SubjectScope!, $connectionId: ID!, $url: String!) {
  requestContentLookup(scope: $scope, connectionId: $connectionId, url: $url) {
    id
  }
}
    `) as unknown as TypedDocumentString<LookUpMutation, LookUpMutationVariables>;
export const DisconnectDocument = new TypedDocumentString(`
    mutation Disconnect($scope: SubjectScope!, $connectionId: ID!) {
  disconnectConnection(scope: $scope, connectionId: $connectionId) {
    revokeJobId
    eraseJobId
  }
}
    `) as unknown as TypedDocumentString<DisconnectMutation, DisconnectMutationVariables>;
