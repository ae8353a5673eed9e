import { selectAll } from '../../scripts/select-all.mjs';

/** JSON of a shape that the test knows. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads answers as a caller's untyped client does.
export type Answer = any;

/** The part of an error that a caller reads, and its correlation id: a failing test prints all of it. */
export class Refusal extends Error {
  readonly operation: string | undefined;
  readonly correlationId: string | undefined;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  readonly connectionId: string | undefined;
  readonly jobId: string | undefined;

  constructor({ message, path, extensions }: Answer) {
    super(`${extensions.code}: ${message}`);
    this.operation = path?.[0];
    this.correlationId = extensions.correlationId;
    this.code = extensions.code;
    this.retryAfterSeconds = extensions.retryAfterSeconds;
    this.connectionId = extensions.connectionId;
    this.jobId = extensions.jobId;
  }
}

/** @returns the refusal of a call. @throws if the call succeeded. */
export async function refusalOf(answer: Promise<unknown>): Promise<Refusal> {
  const refusal = await answer.then(
    () => new Error('The call was answered.'),
    (thrown: unknown) => thrown,
  );
  if (!(refusal instanceof Refusal)) throw refusal;
  return refusal;
}

/** One document for each root field, with all its fields. */
export const DOCUMENTS = {
  status: '{ status { ok message } }',
  integrationReadiness: '{ integrationReadiness { providers { provider available } idpIdentityAvailable } }',
  connectSessionResult: `query ($scope: SubjectScope!, $id: ID!) {
    connectSessionResult(scope: $scope, id: $id) {
      id provider status resultCode connectionId creatorAction expiresAt resultExpiresAt
    }
  }`,
  connection: `query ($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) ${selectAll('Connection')} }`,
  connections: `query ($scope: SubjectScope!, $first: Int, $after: String) {
    connections(scope: $scope, first: $first, after: $after) {
      items ${selectAll('Connection')} pageInfo { endCursor hasNextPage }
    }
  }`,
  content: `query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
    content(scope: $scope, connectionId: $connectionId, window: $window) {
      items ${selectAll('ContentItem')} pageInfo { endCursor hasNextPage completeForWindow incompleteReason } lastSuccessfulSyncAt
    }
  }`,
  contentItem: `query ($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String!) {
    contentItem(scope: $scope, connectionId: $connectionId, providerContentId: $providerContentId) ${selectAll('ContentItem')}
  }`,
  syncJob: `query ($scope: SubjectScope!, $connectionId: ID!, $id: ID!) {
    syncJob(scope: $scope, connectionId: $connectionId, id: $id) ${selectAll('SyncJob')}
  }`,
  createConnectSession: `mutation ($input: ConnectInput!) {
    createConnectSession(input: $input) { id launchUrl launchToken expiresAt resultExpiresAt }
  }`,
  createIdpIdentitySession: `mutation ($input: IdpIdentityInput!) {
    createIdpIdentitySession(input: $input) { id launchUrl launchToken resultProof expiresAt resultExpiresAt }
  }`,
  redeemIdpIdentityResult: `mutation ($id: ID!, $tenantKey: String!, $resultProof: String!) {
    redeemIdpIdentityResult(id: $id, tenantKey: $tenantKey, resultProof: $resultProof) {
      status issuer idpSub email emailVerified name pictureUrl
    }
  }`,
  disconnectConnection: `mutation ($scope: SubjectScope!, $connectionId: ID!) {
    disconnectConnection(scope: $scope, connectionId: $connectionId) {
      accepted connectionId upstreamRevocationPending revokeJobId eraseJobId
    }
  }`,
  requestRefresh: `mutation (
    $scope: SubjectScope!, $connectionId: ID!, $providerContentId: String, $window: SyncWindow, $continuationCursor: String
  ) {
    requestRefresh(
      scope: $scope, connectionId: $connectionId, providerContentId: $providerContentId, window: $window
      continuationCursor: $continuationCursor
    ) ${selectAll('SyncJob')}
  }`,
  requestContentLookup: `mutation ($scope: SubjectScope!, $connectionId: ID!, $url: String!) {
    requestContentLookup(scope: $scope, connectionId: $connectionId, url: $url) ${selectAll('SyncJob')}
  }`,
} as const;
export type RootField = keyof typeof DOCUMENTS;

/** @returns the answer's data. @throws Refusal with its first error. */
async function post(url: string, token: string, query: string, variables: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as Answer;
  if (errors) throw new Refusal(errors[0]);
  return data;
}

/** Calls the API as an app's backend does. @throws Refusal with the first error of the answer. */
export async function ask(graphqlUrl: string, key: string, field: RootField, variables: object = {}): Promise<Answer> {
  return (await post(graphqlUrl, key, DOCUMENTS[field], variables))[field];
}

/** Calls the admin API with an admin token. @throws Refusal with the first error of the answer. */
export const askAdmin = (apiUrl: string | undefined, token: string, query: string, variables: object = {}) =>
  post(`${apiUrl}/api/admin/graphql`, token, query, variables);
