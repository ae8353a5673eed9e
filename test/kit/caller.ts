import { makeKeys } from '../../local/src/development-keys.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import { fastPaths } from '../../src/api/fast/fast-paths.ts';
import { createGraphql } from '../../src/api/graphql/graphql.ts';
import { callersSchema } from '../../src/api/graphql/schema-texts.ts';
import type { Exchange } from '../../src/api/http/exchange.ts';
import { RecentRefusals } from '../../src/api/recent-refusals.ts';
import { resolvers } from '../../src/api/resolvers/index.ts';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import { type ApiConfig, readConfig } from '../../src/config/config.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createOpen } from '../../src/vault/open.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { isFast } from './fast-paths.ts';
import { type Answer, DOCUMENTS, Refusal, type RootField } from './graphql.ts';
import { asApi, type Database } from './postgres.ts';
import type { SeededApp } from './seed.ts';

export { refusalOf } from './graphql.ts';

export const CONNECT_URL = 'http://localhost:4000';

export type TestDeps = Awaited<ReturnType<typeof createDeps>>;

export async function createDeps(
  sql: Database,
  options: {
    suspendSiblings?: boolean;
    deployment?: 'development' | 'production';
    environment?: Readonly<Record<string, string>>;
    /** Limits of Connect attempts. */
    limits?: Partial<Pick<ApiConfig, 'CONNECT_ATTEMPTS_PER_APP' | 'CONNECT_ATTEMPTS_PER_SUBJECT'>>;
  } = {},
) {
  const keys = await makeKeys();
  const config = readConfig('api', {
    ...keys,
    DEPLOYMENT: 'development',
    DATABASE_URL: 'postgres://nobody@localhost/nothing',
    CONNECT_URL,
    ...options.environment,
  });
  const sealEdge = await createSeal(config.VAULT_EDGE_KEYS);
  let deliveryRequests = 0;
  const deps: ApiDeps = {
    config: { ...config, ...options.limits, DEPLOYMENT: options.deployment ?? 'development' },
    sql: asApi(sql),
    outbox: {
      deliverSoon: () => {
        deliveryRequests += 1;
      },
    },
    facts: createCatalog(config),
    mac: createMac(config.VAULT_MAC_KEYS),
    sealInbox: await createSeal(config.VAULT_INBOX_PUBLIC_KEYS),
    sealEdge,
    openEdge: await createOpen(config.VAULT_EDGE_KEYS),
    attemptRefusals: new RecentRefusals(0), // Tests move the clock.
    suspendSiblings: options.suspendSiblings ?? false,
  };
  /** `sealEdge` seals claims as the worker does; `deliveryRequests` counts the wake-ups of the outbox. */
  return { deps, sealEdge, deliveryRequests: () => deliveryRequests };
}

export const newExchange = (): Exchange => ({
  correlationId: newId<CorrelationId>(),
  address: '127.0.0.1',
  log: createLog('silent'),
  operations: new Map(),
  codes: [],
  atEnd: [],
});

/** Sends requests as one app: the complete GraphQL interface, without authentication. */
export function callerOf({ deps }: Pick<TestDeps, 'deps'>, { app }: Pick<SeededApp, 'app'>) {
  const graphql = createGraphql({
    endpoint: '/graphql',
    typeDefs: callersSchema,
    resolvers,
    open: ['status'],
    shared: deps,
    createFast: isFast ? fastPaths.createFast : undefined,
    authorize: async () => ({ app }),
  });
  /** @throws Refusal with the first error of the answer. */
  return async (field: RootField, variables: object = {}): Promise<Answer> => {
    const request = {
      headers: new Headers({ 'content-type': 'application/json' }),
      body: JSON.stringify({ query: DOCUMENTS[field], variables }),
    };
    const { data, errors } = JSON.parse((await graphql(request, newExchange())).body) as Answer;
    if (errors) throw new Refusal(errors[0]);
    return data[field];
  };
}
