// Sends every request to the service. Copy this file into your backend: it needs no package.
// ACCOUNTS_URL is the base URL, such as https://accounts.example, and ACCOUNTS_KEY your application key.

export class AccountsError extends Error {
  code = 'UPSTREAM_UNAVAILABLE';
  correlationId?: string;
  retryAfterSeconds?: number;
}

interface Body<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: object }[];
}

export async function accounts<Data>(query: string, variables: object = {}): Promise<Data> {
  const response = await fetch(`${process.env.ACCOUNTS_URL}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.ACCOUNTS_KEY}` },
    body: JSON.stringify({ query, variables }),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  });
  // Read the body, not the HTTP status: most errors come with status 200.
  const body = (await response.json().catch(() => ({}))) as Body<Data>;
  const error = body.errors?.[0];
  if (error) throw Object.assign(new AccountsError(error.message), error.extensions);
  if (!body.data) throw new AccountsError(`The response is not readable (HTTP ${response.status}).`);
  return body.data;
}

/** Whether a browser's return belongs to the attempt that its session holds. */
export function isOwnReturn(url: string, attemptId: string | undefined): boolean {
  const ids = new URL(url).searchParams.getAll('ss_session_id');
  return attemptId !== undefined && ids.length === 1 && ids[0] === attemptId;
}

/** The window to read after the first scan, or after one without a window. */
export function lastWeek({ lastSuccessfulSyncAt }: Connection): ContentWindow {
  const publishedBefore = lastSuccessfulSyncAt ?? new Date().toISOString();
  const publishedAfter = new Date(Date.parse(publishedBefore) - 7 * 86_400_000).toISOString();
  return { publishedAfter, publishedBefore, first: 20 };
}

/** Polls a job until it has ended, or for `patienceMs`. */
export async function waitForJob(
  scope: SubjectScope,
  connectionId: string,
  id: string,
  patienceMs = 60_000,
): Promise<SyncJob> {
  const giveUpAt = Date.now() + patienceMs;
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    const job = await syncJob({ scope, connectionId, id });
    if (!['QUEUED', 'RUNNING'].includes(job.status) || Date.now() > giveUpAt) return job;
    const waitMs = job.nextRetryAt === null ? 0 : Date.parse(job.nextRetryAt) - Date.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(pauseMs, waitMs)));
  }
}

// Generated from schema.graphql by `npm run codegen`.

export async function status(): Promise<ApiStatus> {
  const data = await accounts<{ status: ApiStatus }>(
    `
      query { status { ok message } }`,
  );
  return data.status;
}

export async function integrationReadiness(): Promise<IntegrationReadiness> {
  const data = await accounts<{ integrationReadiness: IntegrationReadiness }>(
    `
      query { integrationReadiness { providers { provider available } idpIdentityAvailable } }`,
  );
  return data.integrationReadiness;
}

export async function connectSessionResult(variables: { scope: SubjectScope; id: string }): Promise<ConnectSessionResult> {
  const data = await accounts<{ connectSessionResult: ConnectSessionResult }>(
    `
      query ($scope: SubjectScope!, $id: ID!) { connectSessionResult(scope: $scope, id: $id) { id provider
      status resultCode connectionId creatorAction expiresAt resultExpiresAt } }`,
    variables,
  );
  return data.connectSessionResult;
}

export async function connection(variables: { scope: SubjectScope; id: string }): Promise<Connection> {
  const data = await accounts<{ connection: Connection }>(
    `
      query ($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) { id provider
      providerAccountId status syncStatus capabilities { capability availability reason } profile {
      providerAccountId displayName handle avatarUrl profileUrl description observedAt } lastSuccessfulSyncAt
      nextRetryAt } }`,
    variables,
  );
  return data.connection;
}

export async function connections(variables: { scope: SubjectScope; first?: number | undefined; after?: string | undefined }): Promise<ConnectionPage> {
  const data = await accounts<{ connections: ConnectionPage }>(
    `
      query ($scope: SubjectScope!, $first: Int, $after: String) { connections(scope: $scope, first: $first,
      after: $after) { items { id provider providerAccountId status syncStatus capabilities { capability
      availability reason } profile { providerAccountId displayName handle avatarUrl profileUrl description
      observedAt } lastSuccessfulSyncAt nextRetryAt } pageInfo { endCursor hasNextPage } } }`,
    variables,
  );
  return data.connections;
}

export async function content(variables: { scope: SubjectScope; connectionId: string; window: ContentWindow }): Promise<ContentPage> {
  const data = await accounts<{ content: ContentPage }>(
    `
      query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) { content(scope: $scope,
      connectionId: $connectionId, window: $window) { items { id providerContentId provider kind canonicalUrl
      thumbnailUrl title description publishedAt availability reason observedAt metrics { name value
      availability reason sourceField observedAt } } pageInfo { endCursor hasNextPage completeForWindow
      incompleteReason } lastSuccessfulSyncAt } }`,
    variables,
  );
  return data.content;
}

export async function contentItem(variables: { scope: SubjectScope; connectionId: string; providerContentId: string }): Promise<ContentItem | null> {
  const data = await accounts<{ contentItem: ContentItem | null }>(
    `
      query ($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String!) { contentItem(scope:
      $scope, connectionId: $connectionId, providerContentId: $providerContentId) { id providerContentId
      provider kind canonicalUrl thumbnailUrl title description publishedAt availability reason observedAt
      metrics { name value availability reason sourceField observedAt } } }`,
    variables,
  );
  return data.contentItem;
}

export async function syncJob(variables: { scope: SubjectScope; connectionId: string; id: string }): Promise<SyncJob> {
  const data = await accounts<{ syncJob: SyncJob }>(
    `
      query ($scope: SubjectScope!, $connectionId: ID!, $id: ID!) { syncJob(scope: $scope, connectionId:
      $connectionId, id: $id) { id status nextRetryAt errorCode creatorAction resultProviderContentId
      completeForWindow incompleteReason continuationCursor } }`,
    variables,
  );
  return data.syncJob;
}

export async function createConnectSession(variables: { input: ConnectInput }): Promise<ConnectSession> {
  const data = await accounts<{ createConnectSession: ConnectSession }>(
    `
      mutation ($input: ConnectInput!) { createConnectSession(input: $input) { id launchUrl launchToken
      expiresAt resultExpiresAt } }`,
    variables,
  );
  return data.createConnectSession;
}

export async function createIdpIdentitySession(variables: { input: IdpIdentityInput }): Promise<IdpIdentitySession> {
  const data = await accounts<{ createIdpIdentitySession: IdpIdentitySession }>(
    `
      mutation ($input: IdpIdentityInput!) { createIdpIdentitySession(input: $input) { id launchUrl launchToken
      resultProof expiresAt resultExpiresAt } }`,
    variables,
  );
  return data.createIdpIdentitySession;
}

export async function redeemIdpIdentityResult(variables: { id: string; tenantKey: string; resultProof: string }): Promise<IdpIdentityResult> {
  const data = await accounts<{ redeemIdpIdentityResult: IdpIdentityResult }>(
    `
      mutation ($id: ID!, $tenantKey: String!, $resultProof: String!) { redeemIdpIdentityResult(id: $id,
      tenantKey: $tenantKey, resultProof: $resultProof) { status issuer idpSub email emailVerified name
      pictureUrl } }`,
    variables,
  );
  return data.redeemIdpIdentityResult;
}

export async function disconnectConnection(variables: { scope: SubjectScope; connectionId: string }): Promise<DisconnectResult> {
  const data = await accounts<{ disconnectConnection: DisconnectResult }>(
    `
      mutation ($scope: SubjectScope!, $connectionId: ID!) { disconnectConnection(scope: $scope, connectionId:
      $connectionId) { accepted connectionId upstreamRevocationPending revokeJobId eraseJobId } }`,
    variables,
  );
  return data.disconnectConnection;
}

export async function requestRefresh(variables: { scope: SubjectScope; connectionId: string; providerContentId?: string | undefined; window?: SyncWindow | undefined; continuationCursor?: string | undefined }): Promise<SyncJob> {
  const data = await accounts<{ requestRefresh: SyncJob }>(
    `
      mutation ($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String, $window: SyncWindow,
      $continuationCursor: String) { requestRefresh(scope: $scope, connectionId: $connectionId,
      providerContentId: $providerContentId, window: $window, continuationCursor: $continuationCursor) { id
      status nextRetryAt errorCode creatorAction resultProviderContentId completeForWindow incompleteReason
      continuationCursor } }`,
    variables,
  );
  return data.requestRefresh;
}

export async function requestContentLookup(variables: { scope: SubjectScope; connectionId: string; url: string }): Promise<SyncJob> {
  const data = await accounts<{ requestContentLookup: SyncJob }>(
    `
      mutation ($scope: SubjectScope!, $connectionId: ID!, $url: String!) { requestContentLookup(scope: $scope,
      connectionId: $connectionId, url: $url) { id status nextRetryAt errorCode creatorAction
      resultProviderContentId completeForWindow incompleteReason continuationCursor } }`,
    variables,
  );
  return data.requestContentLookup;
}

export type DateTime = string;

export type DecimalCount = string;

export type SocialProvider = 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C';

export type Capability = 'PROFILE' | 'CONTENT_LIST' | 'CONTENT_LOOKUP' | 'CONTENT_METRICS';

export type Availability = 'AVAILABLE' | 'UNSUPPORTED' | 'NOT_GRANTED' | 'UNAVAILABLE';

export type MetricName = 'VIEWS' | 'LIKES' | 'COMMENTS' | 'SHARES';

export type ContentKind = 'VIDEO' | 'IMAGE' | 'CAROUSEL' | 'UNKNOWN';

export type ConnectCreatorAction = 'REMOVE_APP_AT_PROVIDER';

export type ConnectSessionStatus =
  | 'CREATED'
  | 'AUTHORIZING'
  | 'EXCHANGING'
  | 'COMPLETED'
  | 'DENIED'
  | 'FAILED'
  | 'EXPIRED'
  | 'CANCELED';

export type ConnectionStatus = 'CONNECTED' | 'SUSPENDED' | 'RECONNECT_REQUIRED' | 'DISCONNECTED' | 'DELETING';

export type SyncStatus = 'PENDING' | 'RUNNING' | 'READY' | 'PARTIAL' | 'STALE' | 'FAILED';

export type JobStatus = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';

export type IdpIdentityStatus = 'PENDING' | 'COMPLETED' | 'DENIED' | 'FAILED' | 'EXPIRED';

export interface SubjectScope {
  tenantKey: string;
  externalSubjectId: string;
}

export interface ConnectInput {
  scope: SubjectScope;
  provider: SocialProvider;
  capabilities: Capability[];
  returnUrl: string;
  reconnectConnectionId?: string | undefined;
}

export interface IdpIdentityInput {
  tenantKey: string;
  returnUrl: string;
}

export interface SyncWindow {
  publishedAfter: DateTime;
  publishedBefore: DateTime;
  maxItems?: number | undefined;
}

export interface ContentWindow {
  publishedAfter: DateTime;
  publishedBefore: DateTime;
  first: number;
  after?: string | undefined;
}

export interface ApiStatus {
  ok: boolean;
  message: string;
}

export interface IntegrationReadiness {
  providers: ProviderReadiness[];
  idpIdentityAvailable: boolean;
}

export interface ProviderReadiness {
  provider: string;
  available: boolean;
}

export interface ConnectSession {
  id: string;
  launchUrl: string;
  launchToken: string;
  expiresAt: DateTime;
  resultExpiresAt: DateTime;
}

export interface ConnectSessionResult {
  id: string;
  provider: SocialProvider;
  status: ConnectSessionStatus;
  resultCode: string | null;
  connectionId: string | null;
  creatorAction: ConnectCreatorAction | null;
  expiresAt: DateTime;
  resultExpiresAt: DateTime;
}

export interface IdpIdentitySession {
  id: string;
  launchUrl: string;
  launchToken: string;
  resultProof: string;
  expiresAt: DateTime;
  resultExpiresAt: DateTime;
}

export interface IdpIdentityResult {
  status: IdpIdentityStatus;
  issuer: string | null;
  idpSub: string | null;
  email: string | null;
  emailVerified: boolean | null;
  name: string | null;
  pictureUrl: string | null;
}

export interface Connection {
  id: string;
  provider: SocialProvider;
  providerAccountId: string;
  status: ConnectionStatus;
  syncStatus: SyncStatus;
  capabilities: CapabilityState[];
  profile: Profile | null;
  lastSuccessfulSyncAt: DateTime | null;
  nextRetryAt: DateTime | null;
}

export interface CapabilityState {
  capability: Capability;
  availability: Availability;
  reason: string | null;
}

export interface Profile {
  providerAccountId: string;
  displayName: string | null;
  handle: string | null;
  avatarUrl: string | null;
  profileUrl: string | null;
  description: string | null;
  observedAt: DateTime;
}

export interface MetricObservation {
  name: MetricName;
  value: DecimalCount | null;
  availability: Availability;
  reason: string | null;
  sourceField: string | null;
  observedAt: DateTime;
}

export interface ContentItem {
  id: string;
  providerContentId: string;
  provider: SocialProvider;
  kind: ContentKind;
  canonicalUrl: string | null;
  thumbnailUrl: string | null;
  title: string | null;
  description: string | null;
  publishedAt: DateTime | null;
  availability: Availability;
  reason: string | null;
  observedAt: DateTime;
  metrics: MetricObservation[];
}

export interface PageInfo {
  endCursor: string | null;
  hasNextPage: boolean;
  completeForWindow: boolean;
  incompleteReason: string | null;
}

export interface ContentPage {
  items: ContentItem[];
  pageInfo: PageInfo;
  lastSuccessfulSyncAt: DateTime | null;
}

export interface ConnectionPageInfo {
  endCursor: string | null;
  hasNextPage: boolean;
}

export interface ConnectionPage {
  items: Connection[];
  pageInfo: ConnectionPageInfo;
}

export interface SyncJob {
  id: string;
  status: JobStatus;
  nextRetryAt: DateTime | null;
  errorCode: string | null;
  creatorAction: ConnectCreatorAction | null;
  resultProviderContentId: string | null;
  completeForWindow: boolean | null;
  incompleteReason: string | null;
  continuationCursor: string | null;
}

export interface DisconnectResult {
  accepted: boolean;
  connectionId: string;
  upstreamRevocationPending: boolean;
  revokeJobId: string;
  eraseJobId: string;
}
