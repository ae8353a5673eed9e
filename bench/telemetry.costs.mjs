// Measures the cost of telemetry for a request that does almost nothing else: the worst case. `absent` is the same program
// without its telemetry.
import { createServer } from 'node:http';
import { register } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const title = 'One GraphQL request (query { status { ok } }), from HTTP request to response';

const dist = (file) => pathToFileURL(path.join(import.meta.dirname, '..', 'dist', file)).href;

/** A module hook that replaces the two modules that the program calls by empty functions. */
const CUT = `
  const tracing = 'const span = { setAttribute() {}, setAttributes() {}, updateName() {} };'
    + 'export const SpanKind = { SERVER: 1, CLIENT: 2, PRODUCER: 3, CONSUMER: 4 };'
    + 'export const runInSpan = (name, options, work) => work(span); export const runInNewTrace = runInSpan;'
    + 'export const markSpanFailed = () => {}; export const getTraceFields = () => undefined;';
  const instruments = ['initializeOperationCounters', 'countOperation', 'timeOperation', 'countRequest']
    .map((name) => 'export const ' + name + ' = () => {};').join('');
  const SOURCES = { tracing, instruments };
  export async function load(url, context, next) {
    const name = /dist\\/telemetry\\/(tracing|instruments)\\.js$/.exec(url)?.[1];
    return name === undefined ? next(url, context) : { format: 'module', source: SOURCES[name], shortCircuit: true };
  }
`;

async function openApp() {
  const { createGraphql } = await import(dist('api/graphql/graphql.js'));
  const { createHttpApp } = await import(dist('api/http/server.js'));
  const { createLog } = await import(dist('basics/log.js'));
  const graphql = createGraphql({
    endpoint: '/graphql',
    typeDefs: 'type Query { status: Status! } type Status { ok: Boolean! } scalar DateTime scalar DecimalCount',
    resolvers: { Query: { status: () => ({ ok: true }) } },
    open: ['status'],
    authorize: async () => ({}),
  });
  const log = createLog('info', { write: () => undefined });
  const app = createHttpApp({
    log,
    trustedProxies: 0,
    graphql: { '/graphql': graphql },
    schemas: {},
    unready: async () => [],
  });
  const env = { incoming: { socket: { remoteAddress: '127.0.0.1', remotePort: 1, remoteFamily: 'IPv4' } } };
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ status { ok } }' }),
  };
  const once = async () => {
    const response = await app.fetch(new Request('http://localhost/graphql', request), env);
    if (!(await response.text()).includes('"ok":true')) throw new Error('The request failed.');
  };
  return { once, log };
}

const startMetrics = async (log) =>
  (await import(dist('telemetry/metrics.js'))).startMetrics({ host: '127.0.0.1', port: 0 }, log);

/** Receives spans and discards them. */
async function startCollector() {
  const server = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/v1/traces`, close: () => server.close() };
}

export const variants = {
  absent: async () => {
    register(`data:text/javascript,${encodeURIComponent(CUT)}`);
    return await openApp();
  },
  off: openApp,
  metrics: async () => {
    const { createLog } = await import(dist('basics/log.js'));
    const metrics = await startMetrics(createLog('silent'));
    return { ...(await openApp()), close: () => metrics.close() };
  },
  'metrics and every trace': async () => {
    const { createLog } = await import(dist('basics/log.js'));
    const log = createLog('silent');
    const [metrics, collector] = await Promise.all([startMetrics(log), startCollector()]);
    const endTracing = (await import(dist('telemetry/traces.js'))).installTracing(collector.url, 'bench', log);
    const close = async () => {
      await metrics.close();
      await endTracing();
      collector.close();
    };
    return { ...(await openApp()), close };
  },
};
