import type { ApiDeps } from '../../../src/api/deps.ts';
import { createGraphql } from '../../../src/api/graphql/graphql.ts';
import type { Exchange } from '../../../src/api/http/exchange.ts';
import { resolvers } from '../../../src/api/resolvers/index.ts';
import { readConfig } from '../../../src/config.ts';
import { schemaText } from '../../../src/generated/schema.ts';
import { type CorrelationId, newId } from '../../../src/ids.ts';
import { makeKeys } from '../../../src/local/development-keys.ts';
import { createLog } from '../../../src/log.ts';
import { providerFacts } from '../../../src/providers/catalog.ts';
import type { Database } from '../../../src/store/sql.ts';
import { createMac } from '../../../src/vault/mac.ts';
import { createOpen } from '../../../src/vault/open.ts';
import { createSeal, type Seal } from '../../../src/vault/seal.ts';
import type { SeededApp } from '../../kit/seed.ts';

export const CONNECT_URL = 'http://localhost:4000';

export interface TestDeps {
  readonly deps: ApiDeps;
  /** As the worker seals claims. */
  readonly sealEdge: Seal;
  /** How often delivery was asked for. */
  nudges(): number;
}

export async function createDeps(sql: Database, options: { suspendSiblings?: boolean } = {}): Promise<TestDeps> {
  const keys = await makeKeys();
  const config = readConfig('api', {
    ...keys,
    DEPLOYMENT: 'development',
    DATABASE_URL: 'postgres://nobody@localhost/nothing',
    CONNECT_URL,
  });
  let nudges = 0;
  return {
    deps: {
      config,
      sql,
      outbox: {
        nudge: () => {
          nudges += 1;
        },
      },
      facts: providerFacts(config),
      mac: createMac(config.VAULT_MAC_KEYS),
      sealInbox: await createSeal(config.VAULT_INBOX_PUBLIC_KEYS),
      openEdge: await createOpen(config.VAULT_EDGE_KEYS),
      suspendSiblings: options.suspendSiblings ?? false,
    },
    sealEdge: await createSeal(config.VAULT_EDGE_KEYS),
    nudges: () => nudges,
  };
}

/** One app's way of asking: GraphQL as it is served, past authentication. */
export function callerOf({ deps }: Pick<TestDeps, 'deps'>, { app }: Pick<SeededApp, 'app'>) {
  const graphql = createGraphql({
    endpoint: '/graphql',
    typeDefs: schemaText,
    resolvers,
    open: ['status'],
    authorize: async () => ({ ...deps, app }),
  });
  /** @throws Refusal with the first error of the answer. */
  return async (field: keyof typeof DOCUMENTS, variables: object = {}): Promise<Answer> => {
    const request = new Request('http://api.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: DOCUMENTS[field], variables }),
    });
    const exchange: Exchange = {
      correlationId: newId<CorrelationId>(),
      address: '127.0.0.1',
      log: createLog('silent'),
      operations: [],
      codes: [],
    };
    const { data, errors } = (await (await graphql(request, exchange)).json()) as Answer;
    if (errors) throw new Refusal(errors[0]);
    return data[field];
  };
}
export type Caller = ReturnType<typeof callerOf>;

/** JSON of a shape the test knows. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads answers as a caller's untyped client does.
export type Answer = any;

/** What a caller reads of an error. */
export class Refusal extends Error {
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor({ message, extensions }: Answer) {
    super(`${extensions.code}: ${message}`);
    this.code = extensions.code;
    this.retryAfterSeconds = extensions.retryAfterSeconds;
  }
}

/** What a call was refused with; fails when it was answered. */
export async function refusalOf(answer: Promise<unknown>): Promise<Refusal> {
  const refusal = await answer.then(
    () => new Error('The call was answered.'),
    (thrown: unknown) => thrown,
  );
  if (!(refusal instanceof Refusal)) throw refusal;
  return refusal;
}

const CONNECTION = `
  id provider providerAccountId status syncStatus capabilities { capability availability reason }
  profile { providerAccountId displayName handle avatarUrl profileUrl description observedAt }
  lastSuccessfulSyncAt nextRetryAt
`;
const CONTENT_ITEM = `
  id providerContentId provider kind canonicalUrl thumbnailUrl title description publishedAt availability reason observedAt
  metrics { name value availability reason sourceField observedAt }
`;
const SYNC_JOB = `
  id status nextRetryAt errorCode creatorAction resultProviderContentId completeForWindow incompleteReason continuationCursor
`;

const DOCUMENTS = {
  status: '{ status { ok message } }',
  integrationReadiness: '{ integrationReadiness { providers { provider available } idpIdentityAvailable } }',
  connectSessionResult: `query ($scope: SubjectScope!, $id: ID!) {
    connectSessionResult(scope: $scope, id: $id) {
      id provider status resultCode connectionId creatorAction expiresAt resultExpiresAt
    }
  }`,
  connection: `query ($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) { ${CONNECTION} } }`,
  connections: `query ($scope: SubjectScope!, $first: Int, $after: String) {
    connections(scope: $scope, first: $first, after: $after) {
      items { ${CONNECTION} } pageInfo { endCursor hasNextPage }
    }
  }`,
  content: `query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
    content(scope: $scope, connectionId: $connectionId, window: $window) {
      items { ${CONTENT_ITEM} } pageInfo { endCursor hasNextPage completeForWindow incompleteReason } lastSuccessfulSyncAt
    }
  }`,
  contentItem: `query ($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String!) {
    contentItem(scope: $scope, connectionId: $connectionId, providerContentId: $providerContentId) { ${CONTENT_ITEM} }
  }`,
  syncJob: `query ($scope: SubjectScope!, $connectionId: ID!, $id: ID!) {
    syncJob(scope: $scope, connectionId: $connectionId, id: $id) { ${SYNC_JOB} }
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
    ) { ${SYNC_JOB} }
  }`,
  requestContentLookup: `mutation ($scope: SubjectScope!, $connectionId: ID!, $url: String!) {
    requestContentLookup(scope: $scope, connectionId: $connectionId, url: $url) { ${SYNC_JOB} }
  }`,
} as const;
