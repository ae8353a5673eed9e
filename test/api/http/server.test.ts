import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { describe, expect, test, vi } from 'vitest';
import type { HttpEnv } from '../../../src/api/http/exchange.ts';
import { type Service, startService, useService } from '../../kit/graphql-service.ts';

const pages = new Hono<HttpEnv>()
  .get('/pages/:token', (c) => c.text('page', 200, { 'content-security-policy': "default-src 'self'" }))
  .get('/pages/:token/broken', () => Promise.reject(new Error('no')))
  .get('/address', (c) => c.text(c.get('exchange').address));
const service = useService({ pages: [pages], trustedProxies: 1 });

test.each(['content-length: 1000', 'transfer-encoding: chunked'])(
  'an incomplete body (%s) is not logged as a failure of ours',
  async (header) => {
    const other = await startService();
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
    socket.end(`POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}\r\n\r\n3\r\n{"q`);
    await vi.waitFor(() => expect(other.lines.map((line) => JSON.parse(line).message)).toContain('Request'), {
      timeout: 20_000,
    });
    expect(other.lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'debug', message: 'The caller hung up', error: { code: 'ECONNRESET' } },
      { level: 'info', message: 'Request', status: 400 },
    ]);
    await other.close();
  },
);

describe('paths and methods', () => {
  test('health describes the process, and readiness its dependencies', async () => {
    const reasons: string[] = [];
    const other = await startService({ unready: async () => reasons });
    const operators = await startService({ unready: async () => reasons, tellsReasons: true });
    const ask = async ({ url }: Service) => {
      const response = await fetch(`${url}/readyz`);
      return { status: response.status, text: await response.text() };
    };
    expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
    expect(await ask(other)).toEqual({ status: 200, text: 'ready' });
    reasons.push('the database cannot be reached');
    expect(await ask(other)).toEqual({ status: 503, text: 'not ready' });
    expect(await ask(operators)).toEqual({ status: 503, text: 'the database cannot be reached' });
    expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
    await Promise.all([other.close(), operators.close()]);
  });
});

describe('headers', () => {
  test('every response has a correlation id and safe headers', async () => {
    for (const path of ['/healthz', '/nowhere', '/pages/x/broken']) {
      const { headers } = await fetch(service.url + path);
      expect(headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test('HSTS is sent over https only', async () => {
    const secure = await startService({ secure: true });
    for (const path of ['/healthz', '/nowhere', '/schema.graphql', '/pages/x/broken']) {
      const { headers } = await fetch(secure.url + path);
      expect(headers.get('strict-transport-security')).toBe('max-age=63072000');
      expect((await fetch(service.url + path)).headers.get('strict-transport-security')).toBeNull();
    }
    await secure.close();
  });

  test('pages may set their own', async () => {
    const { headers } = await fetch(`${service.url}/pages/x`);
    expect(headers.get('content-security-policy')).toBe("default-src 'self'");
  });

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/html', 'application/json'],
    ['application/json', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
    ['application/graphql-response+json;q=0.1, application/json', 'application/json'],
    ['application/graphql-response+json;q=0', 'application/json'],
    [`application/graphql-response+json${',x/y;q=0.1'.repeat(1_000)}`, 'application/json'],
  ])('Accept %.80s is answered with %s for every outcome', async (accept, type) => {
    const headers = accept === undefined ? {} : { accept };
    for (const [query, status] of [
      ['{ status { ok } }', 200],
      ['{ nothing }', 400],
      ['{ integrationReadiness { x } }', 400],
    ] as const) {
      const response = await service.post(JSON.stringify({ query }), headers);
      expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
        status,
        type: `${type}; charset=utf-8`,
      });
    }
  });
});

test('a failing page answers 500 without details, and the log names only its route template', async () => {
  const response = await fetch(`${service.url}/pages/s3cret/broken`);
  expect({ status: response.status, text: await response.text() }).toEqual({
    status: 500,
    text: 'Something went wrong on our side.',
  });
  expect(JSON.parse(service.lines.at(-1) ?? '')).toMatchObject({ route: '/pages/:token/broken', status: 500 });
  expect(service.lines.join('')).not.toContain('s3cret');
});

describe('closing', () => {
  const slow = () => {
    let finish = () => {};
    let started = () => {};
    const begun = new Promise<void>((resolve) => {
      started = resolve;
    });
    const page = new Hono<HttpEnv>().get('/slow', async (c) => {
      started();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return c.text('done');
    });
    return { page, begun, finish: () => finish() };
  };

  test('lets requests in flight finish and accepts no new ones', async () => {
    const { page, begun, finish } = slow();
    const closing = await startService({ pages: [page] });
    const answer = fetch(`${closing.url}/slow`);
    await begun;
    const closed = closing.close(10_000);
    await expect(fetch(`${closing.url}/healthz`)).rejects.toThrow();
    finish();
    const response = await answer;
    expect(await response.text()).toBe('done');
    expect(response.headers.get('connection')).toBe('close');
    await closed;
  });

  test('does not wait for idle connections', async () => {
    const closing = await startService();
    const socket = connect(Number(new URL(closing.url).port), '127.0.0.1');
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    const ended = once(socket, 'close');
    await closing.close(60_000);
    await ended;
  });

  test('closes connections that are still busy after the grace period', async () => {
    const { page, begun } = slow();
    const closing = await startService({ pages: [page] });
    const answer = expect(fetch(`${closing.url}/slow`)).rejects.toThrow();
    await begun;
    await closing.close(20);
    await answer;
  });
});
