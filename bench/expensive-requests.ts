import { selectAll } from '../scripts/select-all.mjs';

/**
 * The most expensive request that each bound of the api still permits, or barely refuses. A test sends them all, and
 * `npm run bench -- --only expensive` measures the cost of each.
 */
export interface ExpensiveRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Names and values in turn: a name may come twice. */
  readonly headers: readonly string[];
  readonly body?: string;
}

/** Who sends them: an app with a connection, an operator, and strangers who know public ids. */
export interface Sender {
  readonly key: string;
  readonly adminToken: string;
  readonly scope: { readonly tenantKey: string; readonly externalSubjectId: string };
  readonly connectionId: string;
  readonly appId: string;
  /** Of PROVIDER_B and PROVIDER_C, each with as many secrets as are permitted. */
  readonly registrations: { readonly b: string; readonly c: string };
}

type Make = (turn: number) => Omit<ExpensiveRequest, 'name'>;

const BODY = 64 * 1024 - 1_024;
const HEADERS = 15_000;

const many = (count: number, of: (index: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, index) => of(index)).join(between);
const members = (count: number, of: (index: number) => readonly [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => of(index)));
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });

const READ = 'query ($scope: SubjectScope!) { connections(scope: $scope, first: 100) { pageInfo { endCursor } } }';
const CONTENT = `query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) { items ${selectAll('ContentItem')} } }`;
const DAY_MS = 86_400_000;
const SPAN = {
  publishedAfter: new Date(Date.now() - 80 * DAY_MS).toISOString(),
  publishedBefore: new Date().toISOString(),
};

/** Documents at each limit. `turn` makes a new one. */
function listDocuments({ scope }: Sender): Readonly<Record<string, (turn: number) => string>> {
  const given = `scope: { tenantKey: "${scope.tenantKey}", externalSubjectId: "s" }`;
  return {
    'the full cost, new each time': (turn) =>
      `{ connections(${given}, first: 100) { ${many(8, (n) => `a${n}_${turn}: items { id }`)} items { ${many(
        60,
        () => 'id provider status syncStatus'.split(' ')[turn % 4] ?? 'id',
      )} } } }`,
    'a field ninety times, new each time': (turn) =>
      `{ integrationReadiness { providers { ${many(80, () => 'provider')} } } } # ${turn}`,
    'a field with arguments forty times': (turn) =>
      `{ __schema { types { ${many(40, () => 'fields(includeDeprecated: true) { name }')} } } } # ${turn}`,
    'fifty fragments beside each other': (turn) =>
      `{ integrationReadiness { ${many(50, (n) => `...F${n}`)} } } # ${turn}
       ${many(50, (n) => `fragment F${n} on IntegrationReadiness { idpIdentityAvailable }`)}`,
    'fifty fragments in each other': (turn) =>
      `{ ...F0 } # ${turn}
       ${many(49, (n) => `fragment F${n} on Query { ...F${n + 1} }`)} fragment F49 on Query { status { ok } }`,
    'more fragments than are permitted': (turn) =>
      `{ ...F0 } # ${turn}
       ${many(110, (n) => `fragment F${n} on Query { ...F${n + 1} }`)} fragment F110 on Query { status { ok } }`,
    'fragments that double': (turn) =>
      `{ ...F0 } # ${turn}
       ${many(49, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`)} fragment F49 on Query { status { ok } }`,
    '300 inline fragments': (turn) => `{ ${'... { '.repeat(300)} status { ok } ${'} '.repeat(300)} } # ${turn}`,
    '120 directives': (turn) => `{ status { ${many(60, () => 'ok @include(if: true) @skip(if: false)')} } } # ${turn}`,
    'a directive 140 times': (turn) => `{ status { ok ${many(140, () => '@include(if: true)')} } } # ${turn}`,
    '160 variables that nothing uses': (turn) =>
      `query (${many(160, (n) => `$v${n}: Int = 1`)}) { status { ok } } # ${turn}`,
    '130 variables in one list': (turn) =>
      `mutation (${many(130, (n) => `$v${n}: Capability!`)}) { createConnectSession(input: { ${given}, provider: PROVIDER_A,
        returnUrl: "x", capabilities: [${many(130, (n) => `$v${n}`)}] }) { id } } # ${turn}`,
    '900 values that are nearly right': (turn) =>
      `mutation { createConnectSession(input: { ${given}, provider: PROVIDER_A, returnUrl: "x",
        capabilities: [${many(900, () => 'CONTENT_METRIX')}] }) { id } } # ${turn}`,
    '230 keys that are nearly right': (turn) =>
      `{ connections(scope: { ${many(230, (n) => `externalSubjectIx${n}: "s"`)} }) { items { id } } } # ${turn}`,
    'objects 200 deep': (turn) =>
      `{ connections(scope: ${'{ a: '.repeat(200)}1${' }'.repeat(200)}) { items { id } } } # ${turn}`,
    'lists 400 deep': (turn) =>
      `{ connections(scope: ${'['.repeat(400)}${']'.repeat(400)}) { items { id } } } # ${turn}`,
    'ninety fields that are nearly right': (turn) => `{ status { ${many(89, (n) => `messag${n}`)} } } # ${turn}`,
    'a name of 60,000 characters': (turn) => `{ ${'x'.repeat(60_000)}${turn} }`,
    'a text of 60,000 characters': (turn) =>
      `{ connections(scope: { tenantKey: "${'x'.repeat(60_000)}${turn}" }) { items { id } } }`,
    'a text of 10,000 escapes': (turn) =>
      `{ connections(scope: { tenantKey: "${'\\u0041'.repeat(9_000)}${turn}" }) { items { id } } }`,
    'a block text of 990 lines': (turn) =>
      `{ connections(scope: { tenantKey: """${many(990, () => 'x'.repeat(60), '\n')}${turn}""" }) { items { id } } }`,
    'a number of 60,000 digits': (turn) => `{ connections(first: ${'9'.repeat(60_000)}) { items { id } } } # ${turn}`,
    'a comment of 60,000 characters': (turn) =>
      `# ${turn}${'x'.repeat(60_000)}\n{ integrationReadiness { idpIdentityAvailable } }`,
    'an unfinished document of 60,000 brackets': () => '{'.repeat(60_000),
    'more tokens than are read': () => `{ status { ${many(15_000, () => 'ok')} } }`,
    'introspection of everything': () =>
      `{ __schema { types { name description fields(includeDeprecated: true) { name description isDeprecated
          args { name description type { name kind ofType { name kind ofType { name kind } } } }
          type { name kind ofType { name kind ofType { name kind } } } }
        inputFields { name description type { name kind ofType { name kind } } } enumValues { name description } } } }`,
    'introspection by two aliases': () =>
      `{ __schema { ${many(2, (n) => `t${n}: types { fields { args { type { ofType { name } } } } }`)} } }`,
    'introspection of types in types': () =>
      `{ __schema { types { fields { type { ofType { fields { type { name } } } fields { type { name kind } } } } } } }`,
  };
}

/** Variables at each limit, and the strings that reach our own code. */
function listVariables({ scope, connectionId }: Sender): Readonly<Record<string, readonly [string, object]>> {
  const long = 'x'.repeat(BODY - 1_000);
  const read = (changes: object): [string, object] => [READ, { scope: { ...scope, ...changes } }];
  const connect = (changes: object): [string, object] => [
    'mutation ($input: ConnectInput!) { createConnectSession(input: $input) { id } }',
    { input: { scope, provider: 'PROVIDER_A', capabilities: ['PROFILE'], returnUrl: 'https://x.example', ...changes } },
  ];
  const page = (window: object): [string, object] => [
    CONTENT,
    { scope, connectionId, window: { ...SPAN, first: 50, ...window } },
  ];
  return {
    '5,500 unknown keys': read(members(5_500, (n) => [`k${n}`, 1])),
    '4,000 numeric keys': read(members(4_000, (n) => [`${n * 65_536}`, 1])),
    '240 unknown keys': read(members(240, (n) => [`externalSubjectIx${n}`, 1])),
    'an unknown key of 60,000 characters': read({ [long]: 1 }),
    'a list of 30,000': read({ tenantKey: Array(30_000).fill(1) }),
    'lists 100 by 2': connect({ capabilities: Array(100).fill('CONTENT_METRIX'), x: Array(100).fill(1) }),
    'objects 7 deep': [READ, { scope: nested(7) }],
    'objects 2,000 deep': [READ, { scope: nested(2_000) }],
    'a tenant of 60,000 characters': read({ tenantKey: long }),
    'a tenant of 60,000 escapes': read({ tenantKey: '\0'.repeat(10_000) }),
    'an id of 60,000 characters': [CONTENT, { scope, connectionId: long, window: { ...SPAN, first: 50 } }],
    'an instant of 60,000 characters': page({ publishedAfter: `2026-01-01T00:00:00.${'0'.repeat(60_000)}Z` }),
    'the largest page': page({}),
    'a cursor of 60,000 characters': page({ after: 'A'.repeat(BODY - 1_000) }),
    'a cursor of another alphabet': page({ after: '+/='.repeat(20_000) }),
    'a return URL of 30,000 parameters': connect({ returnUrl: `https://x.example/?${'a&'.repeat(30_000)}` }),
    'a return URL of escapes': connect({ returnUrl: `https://x.example/?${'%41'.repeat(20_000)}` }),
    'a return URL of a long host': connect({ returnUrl: `https://${'é'.repeat(20_000)}.example` }),
    'a lookup URL of 60,000 characters': [
      'mutation ($scope: SubjectScope!, $id: ID!, $url: String!) { requestContentLookup(scope: $scope, connectionId: $id, url: $url) { id } }',
      { scope, id: connectionId, url: `https://x.example/${'a/../'.repeat(12_000)}` },
    ],
    'a lookup URL of 2,048 dots': [
      'mutation ($scope: SubjectScope!, $id: ID!, $url: String!) { requestContentLookup(scope: $scope, connectionId: $id, url: $url) { id } }',
      { scope, id: connectionId, url: `https://x.example/${'a/../'.repeat(400)}` },
    ],
    'a continuation of 60,000 characters': [
      'mutation ($scope: SubjectScope!, $id: ID!, $c: String) { requestRefresh(scope: $scope, connectionId: $id, continuationCursor: $c) { id } }',
      { scope, id: connectionId, c: 'A'.repeat(BODY - 1_000) },
    ],
    'a post of 60,000 characters': [
      'query ($scope: SubjectScope!, $id: ID!, $p: String!) { contentItem(scope: $scope, connectionId: $id, providerContentId: $p) { id } }',
      { scope, id: connectionId, p: long },
    ],
    'a proof of 60,000 characters': [
      'mutation ($t: String!, $p: String!) { redeemIdpIdentityResult(id: "00000000-0000-4000-8000-000000000000", tenantKey: $t, resultProof: $p) { status } }',
      { t: scope.tenantKey, p: long },
    ],
  };
}

/** Headers of GraphQL requests, as long as a request may have them. */
function listHeaders(key: string): Readonly<Record<string, readonly string[]>> {
  const bearer = `Bearer ${key}`;
  return {
    'a key of 15,000 characters': ['authorization', `Bearer ${'a'.repeat(HEADERS)}`],
    'a key with 15,000 behind it': ['authorization', `${bearer}${'a'.repeat(HEADERS)}`],
    'a key with 15,000 spaces': ['authorization', `Bearer${' '.repeat(HEADERS)}${key}`],
    'a wrong key': ['authorization', `Bearer 00000000-0000-4000-8000-000000000000.${'a'.repeat(64)}`],
    'an Accept of 990 characters': ['authorization', bearer, 'accept', many(300, () => 'a/b', ',').slice(0, 990)],
    'an Accept of parameters': ['authorization', bearer, 'accept', `a/b${';q=0'.repeat(240)}`],
    'an Accept of 15,000 characters': ['authorization', bearer, 'accept', many(3_700, () => 'a/b', ',')],
    'a content type of 15,000 characters': [
      'authorization',
      bearer,
      'content-type',
      `application/json${';'.repeat(HEADERS)}`,
    ],
    'a trace of 15,000 characters': ['authorization', bearer, 'traceparent', '00-'.repeat(HEADERS / 3)],
    'a baggage of 15,000 characters': ['authorization', bearer, 'tracestate', 'a=b,'.repeat(HEADERS / 4)],
    '5,000 addresses': ['authorization', bearer, 'x-forwarded-for', '::1,'.repeat(HEADERS / 4)],
    'an address of 15,000 characters': ['authorization', bearer, 'x-forwarded-for', ':'.repeat(HEADERS)],
    '1,900 header lines': ['authorization', bearer, ...many(1_900, (n) => `x${n % 10} 1`).split(' ')],
    'a cookie of 15,000 characters': ['authorization', bearer, 'cookie', 'a=b; '.repeat(HEADERS / 5)],
  };
}

/** Pages, forms, callbacks and files, which need no key. */
function listPages({ registrations }: Sender): Readonly<Record<string, Omit<ExpensiveRequest, 'name'>>> {
  const form = ['content-type', 'application/x-www-form-urlencoded'];
  const state = 'A'.repeat(43);
  const uuid = '00000000-0000-4000-8000-000000000000';
  const get = (path: string, ...headers: string[]) => ({ method: 'GET' as const, path, headers });
  const post = (path: string, body: string, ...headers: string[]) => ({ method: 'POST' as const, path, headers, body });
  const [b, c] = [`/api/platform/provider-b/${registrations.b}/events`, `/api/platform/provider-c/${registrations.c}`];
  const signed = (text: string) => `${'A'.repeat(43)}.${Buffer.from(text).toString('base64url')}`;
  return {
    'a form of 1,300 fields': post('/api/connect/redeem', 'a=&'.repeat(1_300), ...form),
    'a form of escapes': post('/api/connect/redeem', `launchToken=${'%41'.repeat(1_300)}`, ...form),
    'an unknown launch token': post('/api/identity/redeem', `launchToken=${'a'.repeat(64)}`, ...form),
    'a form over its limit': post('/api/connect/redeem', 'a'.repeat(60_000), ...form),
    'a callback of 7,000 parameters': get(`/api/connect/callback/provider-b?state=${state}&${'a&'.repeat(7_000)}`),
    'a callback of 300 states': get(`/api/connect/callback/provider-b?${`state=${state}&`.repeat(290)}`),
    'a callback of escapes': get(`/api/identity/callback/${uuid}?state=${state}&code=${'%41'.repeat(4_500)}`),
    'a callback with a cookie of 15,000': get(
      `/api/connect/callback/provider-b?state=${state}`,
      'cookie',
      'a=b; '.repeat(HEADERS / 5),
    ),
    'languages of 15,000 characters': get('/api/connect/callback/x', 'accept-language', 'a;q=0.1,'.repeat(HEADERS / 8)),
    'a purpose of 15,000 characters': get(
      `/api/connect/callback/provider-b?state=${state}`,
      'purpose',
      'pre'.repeat(HEADERS / 3),
    ),
    'an event of 16 KB with a wrong signature': post(
      b,
      `{"a":"${'x'.repeat(16_000)}"}`,
      'tiktok-signature',
      `t=1,s=${'a'.repeat(64)}`,
    ),
    'an event with a signature of 15,000': post(b, '{}', 'tiktok-signature', `t=1,${' '.repeat(HEADERS)}s=`),
    'a signed request of 16 KB': post(`${c}/deauthorize`, `signed_request=${signed('x'.repeat(11_900))}`, ...form),
    'a signed request of 5,000 fields': post(`${c}/data-deletion`, 'signed_request=&'.repeat(1_000), ...form),
    'a signed request of nested lists': post(
      `${c}/data-deletion`,
      `signed_request=${signed('['.repeat(11_000))}`,
      ...form,
    ),
    'an unknown deletion code': get(`/deletion/${'a'.repeat(32)}`),
    'a deletion code of 15,000': get(`/deletion/${'a'.repeat(HEADERS)}`),
    'an unknown logo': get(`/api/connect/logo/${'a'.repeat(64)}`, 'if-none-match', 'W/"a", '.repeat(1_800)),
    'the schema': get('/schema.graphql'),
    'the schema of administration': get('/api/admin/schema.graphql'),
    'a path of 7,000 parts': get('/a'.repeat(7_000)),
    'a path of 7,000 slashes': get(`/${'/'.repeat(7_000)}`),
    'a path of dots': get('/a/..'.repeat(2_900)),
    'a path of escapes': get(`/${'%c3%a9'.repeat(2_400)}`),
    'a path of broken escapes': get(`/admin/assets/${'%'.repeat(HEADERS)}`),
    'a query string of 15,000': get(`/graphql?${'a&'.repeat(HEADERS / 2)}`),
    'a page of the console': get(`/admin/${'a/'.repeat(7_000)}`),
    'a file of the console': get(`/admin/assets/${'a'.repeat(200)}.js`, 'accept-encoding', 'br,gzip,'.repeat(1_800)),
    'a sign-in of 1 KB': post(
      '/api/admin/session',
      `{"token":"${'a'.repeat(1_000)}"}`,
      'content-type',
      'application/json',
      'origin',
      'http://x',
      'host',
      'x',
    ),
    'a session cookie of 15,000': {
      method: 'DELETE',
      path: '/api/admin/session',
      headers: ['cookie', 'admin_session=a; '.repeat(HEADERS / 17), 'origin', 'http://x', 'host', 'x'],
    },
    'no key, a body of 64 KB': post(
      '/graphql',
      JSON.stringify({
        query: '{ integrationReadiness { idpIdentityAvailable } }',
        extensions: members(6_000, (n) => [`k${n}`, 1]),
      }),
      'content-type',
      'application/json',
    ),
    'no key, 5,500 unknown keys': post(
      '/graphql',
      JSON.stringify({ query: READ, variables: members(5_500, (n) => [`k${n}`, 1]) }),
      'content-type',
      'application/json',
    ),
    'no key, 990 tokens': post(
      '/graphql',
      JSON.stringify({
        query: `{ status { ${many(85, () => 'ok')} ${'... { '.repeat(295)} ok ${'} '.repeat(295)} } }`,
      }),
      'content-type',
      'application/json',
    ),
    'no key, 99 tokens that are nearly right': post(
      '/graphql',
      JSON.stringify({ query: `{ status { ${many(88, (n) => `messag${n}`)} } }` }),
      'content-type',
      'application/json',
    ),
    'chunks of a byte': post(
      '/graphql',
      `${'1\r\n \r\n'.repeat(60_000)}0\r\n\r\n`,
      'content-type',
      'application/json',
      'transfer-encoding',
      'chunked',
    ),
    'chunks with extensions': post(
      '/graphql',
      `${`1;${'a'.repeat(1_000)}\r\n \r\n`.repeat(4_000)}0\r\n\r\n`,
      'content-type',
      'application/json',
      'transfer-encoding',
      'chunked',
    ),
  };
}

/** The requests that an operator may send. */
function listOperators({ appId }: Sender): Readonly<Record<string, readonly [string, object?]>> {
  const long = 'x'.repeat(BODY - 1_000);
  const endpoint = (url: string): [string, object] => [
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { endpoint { id } } }',
    { input: { appId, url } },
  ];
  return {
    'an endpoint URL of 60,000 characters': endpoint(`https://x.example/${'a/../'.repeat(12_000)}`),
    'an endpoint URL of a long host': endpoint(`https://${'é'.repeat(20_000)}.example`),
    'a return URL of a long host': [
      'mutation ($id: ID!, $url: String!) { addReturnUrl(appId: $id, url: $url) { id } }',
      { id: appId, url: `https://${'é'.repeat(20_000)}.example` },
    ],
    'an endpoint URL of many dots': endpoint(`https://${'1.'.repeat(900)}example`),
    'an endpoint with 5,500 unknown keys': [endpoint('x')[0], { input: members(5_500, (n) => [`k${n}`, 1]) }],
    'a proof of 60,000 characters': [
      'query ($d: String!) { verifyProofOfDeletion(document: $d, signature: "x") }',
      { d: long },
    ],
    'a logo that is no picture': [
      'mutation ($id: ID!, $image: String!) { setLogo(appId: $id, image: $image) { id } }',
      { id: appId, image: 'A'.repeat(60_000) },
    ],
    'a cursor of 60,000 characters': [
      'query ($a: String) { apps(after: $a) { items { id } } }',
      { a: 'A'.repeat(60_000) },
    ],
    'a search for 60,000 characters': [
      'query ($n: String) { apps(filter: { search: $n }) { items { id } } }',
      { n: long },
    ],
    'introspection of everything, twice': [
      `{ __schema { ${many(
        2,
        (n) => `t${n}: types { name description fields(includeDeprecated: true) { name description isDeprecated
          args { name description type { name kind ofType { name kind ofType { name kind ofType { name } } } } }
          type { name kind ofType { name kind ofType { name kind ofType { name } } } } }
        inputFields { name description type { name kind ofType { name kind ofType { name } } } } enumValues { name description } }`,
      )} } }`,
    ],
    'introspection by two aliases': [
      `{ __schema { ${many(2, (n) => `t${n}: types { fields { args { type { ofType { name } } } } }`)} } }`,
    ],
    'introspection of types in types': [
      '{ __schema { types { fields { type { ofType { ofType { ofType { fields { type { ofType { name } } } } } } } } } } }',
    ],
  };
}

/** @returns each with a function that makes the request; another one for each turn, where that costs more. */
export function listExpensiveRequests(sender: Sender): readonly { readonly name: string; readonly make: Make }[] {
  const json = ['content-type', 'application/json'];
  const graphql = (path: string, token: string, content: object): Omit<ExpensiveRequest, 'name'> => ({
    method: 'POST',
    path,
    headers: [...json, 'authorization', `Bearer ${token}`],
    body: JSON.stringify(content),
  });
  const small = JSON.stringify({ query: '{ integrationReadiness { idpIdentityAvailable } }' });
  return [
    ...Object.entries(listDocuments(sender)).map(([name, write]) => ({
      name: `document: ${name}`,
      make: (turn: number) => graphql('/graphql', sender.key, { query: write(turn) }),
    })),
    {
      name: 'document: the full cost, compiled each third time',
      make: (turn) =>
        graphql('/graphql', sender.key, {
          query: listDocuments(sender)['the full cost, new each time']?.(Math.floor(turn / 3) + 1e6),
        }),
    },
    ...Object.entries(listVariables(sender)).map(([name, [query, variables]]) => ({
      name: `variables: ${name}`,
      make: () => graphql('/graphql', sender.key, { query, variables }),
    })),
    ...Object.entries(listHeaders(sender.key)).map(([name, headers]) => ({
      name: `headers: ${name}`,
      make: () => ({
        method: 'POST' as const,
        path: '/graphql',
        headers: headers.includes('content-type') ? headers : [...json, ...headers],
        body: small,
      }),
    })),
    ...Object.entries(listPages(sender)).map(([name, request]) => ({ name: `page: ${name}`, make: () => request })),
    ...Object.entries(listOperators(sender)).map(([name, [query, variables]]) => ({
      name: `operator: ${name}`,
      make: () => graphql('/api/admin/graphql', sender.adminToken, { query, variables }),
    })),
  ];
}
