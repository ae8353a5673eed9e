import { randomUUID } from 'node:crypto';
import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import { createClient, fetchExchange } from '@urql/core';
import { type GraphQLFormattedError, parse } from 'graphql';
import { describe, expect } from 'vitest';
import { type Caller, conformanceTest } from '../kit/conformance.ts';
import { type Answer, DOCUMENTS, type RootField } from '../kit/graphql.ts';

const test = conformanceTest();

interface Outcome {
  readonly data: Answer;
  /** A client assumes UPSTREAM_UNAVAILABLE if an error has no code. */
  readonly codes: readonly string[];
  readonly retryAfterSeconds: unknown;
}
type Send = (field: RootField, variables: object) => Promise<Outcome>;

const headersOf = ({ seeded }: Caller) => ({ authorization: `Bearer ${seeded.key}` });

function outcome(data: unknown, errors: readonly Pick<GraphQLFormattedError, 'extensions'>[]): Outcome {
  const codes = errors.map(({ extensions }) => String(extensions?.code ?? 'UPSTREAM_UNAVAILABLE'));
  return { data, codes, retryAfterSeconds: errors[0]?.extensions?.retryAfterSeconds };
}

/** How an app's backend sends requests and reads errors with each client. All other tests send them by plain `fetch`. */
const CLIENTS: Record<string, (caller: Caller) => Send> = {
  'Apollo Client': (caller) => {
    const link = new HttpLink({ uri: `${caller.urls[0]}/graphql`, headers: headersOf(caller) });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    return async (field, variables) => {
      const document = parse(DOCUMENTS[field]);
      const isMutation = DOCUMENTS[field].startsWith('mutation');
      try {
        const { data }: { data?: Answer } = isMutation
          ? await client.mutate({ mutation: document, variables, fetchPolicy: 'no-cache' })
          : await client.query({ query: document, variables, fetchPolicy: 'no-cache' });
        return outcome(data?.[field], []);
      } catch (error) {
        return outcome(null, CombinedGraphQLErrors.is(error) ? error.errors : [{}]);
      }
    };
  },

  urql: (caller) => {
    const client = createClient({
      url: `${caller.urls[0]}/graphql`,
      exchanges: [fetchExchange],
      fetchOptions: { headers: headersOf(caller) },
      preferGetMethod: false,
    });
    return async (field, variables) => {
      const isMutation = DOCUMENTS[field].startsWith('mutation');
      const ask = isMutation ? client.mutation(DOCUMENTS[field], variables) : client.query(DOCUMENTS[field], variables);
      const { data, error } = await ask.toPromise();
      if (error === undefined) return outcome(data[field], []);
      return outcome(null, error.graphQLErrors.length > 0 ? error.graphQLErrors : [{}]);
    };
  },
};

describe.each(Object.keys(CLIENTS))('%s', (name) => {
  const clientOf = (caller: Caller): Send => (CLIENTS[name] as (caller: Caller) => Send)(caller);

  test(`7 clients: ${name} reads codes and retryAfterSeconds for every HTTP status`, async ({ client }) => {
    const send = clientOf(client);
    const { scope, seeded } = client;
    const codes = async (field: RootField, variables: object) => (await send(field, variables)).codes;
    expect(await codes('connection', { scope, id: randomUUID() })).toEqual(['NOT_FOUND']);
    expect(await codes('connection', { scope: { ...scope, tenantKey: 'nobody' }, id: randomUUID() })).toEqual([
      'FORBIDDEN',
    ]);
    // These two answer 400.
    expect(await codes('connections', { scope, first: 101 })).toEqual(['BAD_USER_INPUT']);
    expect(await codes('connections', { scope, first: 'x' })).toEqual(['BAD_USER_INPUT']);
    const input = { scope, provider: 'PROVIDER_A', capabilities: ['PROFILE'], returnUrl: seeded.returnUrl };
    for (let n = 0; n < 5; n += 1) expect(await codes('createConnectSession', { input })).toEqual([]);
    const limited = await send('createConnectSession', { input });
    expect(limited.codes).toEqual(['RATE_LIMITED']);
    expect(limited.retryAfterSeconds).toBeGreaterThan(0);
    // 413, without a GraphQL body: the code that a client assumes.
    const huge = { scope: { ...scope, externalSubjectId: 'x'.repeat(70_000) } };
    expect(await codes('connections', huge)).toEqual(['UPSTREAM_UNAVAILABLE']);
  });
});
