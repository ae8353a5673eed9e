import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttp, type HttpRequest } from '../../src/providers/http.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { stretch } from '../kit/busy.ts';
import { call, failureOf, MARK, openFakePlatform } from '../kit/fake-platform.ts';
import { PERMIT } from '../kit/permit.ts';

let platform: Awaited<ReturnType<typeof openFakePlatform>>;
const http = createHttp({ production: false, userAgent: 'the-service/1' });
const production = createHttp({ production: true, userAgent: 'the-service/1' });

beforeAll(async () => {
  platform = await openFakePlatform();
});
afterAll(async () => {
  await Promise.all([http.close(), production.close()]);
  await platform.close();
});

const get = (path = '/', changes: Partial<HttpRequest> = {}): HttpRequest => ({
  where: 'PROVIDER_X test',
  method: 'GET',
  url: `${platform.url}${path}?access_token=${MARK}`,
  headers: { authorization: `Bearer ${MARK}` },
  call: call(),
  ...changes,
});

test('sends a form, JSON, and its own user agent', async () => {
  platform.script({ body: { ok: true } });
  const answer = await http.request(get('/', { method: 'POST', form: { a: '1 &=ü', b: '' } }));
  expect(answer).toMatchObject({ status: 200, text: '{"ok":true}' });
  await http.request(get('/', { method: 'POST', json: { cursor: 1 } }));
  const [form, json] = platform.seen;
  expect(form?.form).toEqual({ a: '1 &=ü', b: '' });
  expect(form?.headers).toMatchObject({
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'the-service/1',
    accept: 'application/json',
  });
  expect(json?.headers['content-type']).toBe('application/json');
  expect(json?.body).toBe('{"cursor":1}');
});

test('returns a redirect instead of following it', async () => {
  platform.script({ status: 302, headers: { location: '/elsewhere' } });
  expect(await http.request(get())).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
  expect(platform.seen).toHaveLength(1);
});

test('reports a hanging answer as lost after the timeout', async () => {
  platform.script(() => undefined);
  const error = await failureOf(http.request(get('/', { timeoutMs: 100 })));
  expect(error).toMatchObject({
    type: 'RetryLater',
    outcomeUnknown: true,
    message: 'PROVIDER_X test: no complete answer (TIMEOUT).',
  });
});

test('applies the timeout to the whole answer, however slowly it arrives', async () => {
  platform.script((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
    return undefined;
  });
  const startedAt = performance.now();
  expect(await failureOf(http.request(get('/', { timeoutMs: 300 })))).toMatchObject({ outcomeUnknown: true });
  expect(performance.now() - startedAt).toBeLessThan(stretch(5_000));
});

test('stops reading at the size limit', async () => {
  let written = 0;
  platform.script((_request, response) => {
    const chunk = 'x'.repeat(64 * 1024);
    const pump = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on('drain', pump);
    pump();
    return undefined;
  });
  const error = await failureOf(http.request(get('/', { maxBytes: 1024 })));
  expect(error).toMatchObject({ type: 'ContractBroken', status: 200, outcomeUnknown: true });
  expect(written).toBeLessThan(16 * 1024 * 1024);
});

const HEAD = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

test.for(['request', 'post', 'fetch'] as const)(
  'stops reading an answer of endless informational heads, for %s',
  async (kind) => {
    const LIMIT = 64 * 1024 * 1024;
    let written = 0;
    platform.script((_request, { socket }) => {
      const heads = HEAD.repeat(1_000);
      const pump = () => {
        while (socket?.writable && written < LIMIT) {
          written += heads.length;
          if (!socket.write(heads)) return;
        }
        socket?.end(OK);
      };
      socket?.on('drain', pump);
      pump();
      return undefined;
    });
    const { where, url } = get();
    const post = { where, url, headers: {}, body: '{}', signal: AbortSignal.timeout(30_000), timeoutMs: 30_000 };
    const error = await failureOf(
      {
        request: () => http.request(get()),
        post: () => http.post(post),
        fetch: () => http.fetch(url),
      }[kind](),
    );
    expect(error).toMatchObject({ type: 'ContractBroken', outcomeUnknown: true });
    expect(written).toBeLessThan(8 * 1024 * 1024); // The most that two sockets buffer.
  },
);

test('reports a connection reset in the middle of a body as lost', async () => {
  platform.script((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"half":', () => response.destroy());
    return undefined;
  });
  expect(await failureOf(http.request(get()))).toMatchObject({ type: 'RetryLater', outcomeUnknown: true });
});

test('knows that a refused connection has sent nothing', async () => {
  const closed = await openFakePlatform();
  await closed.close();
  const error = await failureOf(http.request(get('/', { url: `${closed.url}/?access_token=${MARK}` })));
  expect(error).toMatchObject({ type: 'RetryLater', outcomeUnknown: false });
  expect(error.message).toBe('PROVIDER_X test: no complete answer (ECONNREFUSED).');
});

test('never repeats a request, not even a GET whose connection broke', async () => {
  platform.script((_request, response) => {
    response.destroy();
    return undefined;
  });
  await failureOf(http.request(get()));
  expect(platform.seen).toHaveLength(1);
});

test('stops at once when canceled, and reports whether anything was sent', async () => {
  const stop = new AbortController();
  platform.script(() => {
    stop.abort();
    return undefined;
  });
  expect(await failureOf(http.request(get('/', { call: call({ signal: stop.signal }) })))).toMatchObject({
    outcomeUnknown: true,
  });
  platform.script({});
  expect(await failureOf(http.request(get('/', { call: call({ signal: AbortSignal.abort() }) })))).toMatchObject({
    outcomeUnknown: false,
  });
  expect(platform.seen).toHaveLength(0);
});

test.each([
  'http://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'https://localhost:PORT/',
  'https://[::1]:PORT/',
  'http://8.8.8.8/',
])('in production refuses %s before a byte is sent', async (template) => {
  platform.script({});
  const url = template.replace('PORT', new URL(platform.url).port);
  const error = await failureOf(production.request(get('/', { url })));
  expect(error).toMatchObject({ type: 'RetryLater', outcomeUnknown: false });
  expect(platform.seen).toHaveLength(0);
});

test('asks for permission before each request, and sends nothing without it', async () => {
  platform.script({});
  const asked: unknown[] = [];
  const admit = async (cost: unknown) => {
    asked.push(cost);
    expect(platform.seen).toHaveLength(asked.length - 1);
    return PERMIT;
  };
  await http.request(get('/', { call: call({ admit }), quotaUnits: 3 }));
  await http.request(get('/', { call: call({ admit }), cannotWait: true }));
  expect(asked).toEqual([
    { quotaUnits: 3, cannotWait: false },
    { quotaUnits: 0, cannotWait: true },
  ]);
  const refused = new ProviderError('RetryLater', 'Not now.', { retryAfterSeconds: 7 });
  const refuse = async () => Promise.reject(refused);
  expect(await failureOf(http.request(get('/', { call: call({ admit: refuse }) })))).toBe(refused);
  expect(platform.seen).toHaveLength(2);
});

test('a small answer cannot grow beyond the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  platform.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    return undefined;
  });
  await expect(http.request(get())).rejects.toMatchObject({ type: 'ContractBroken', networkCode: 'ANSWER_TOO_LARGE' });
});
