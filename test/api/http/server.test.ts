import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { HttpEnv } from '../../../src/api/http/exchange.ts';
import { startService, useService } from '../../kit/graphql-service.ts';

const pages = new Hono<HttpEnv>()
  .get('/pages/:token', (c) => c.text('page', 200, { 'content-security-policy': "default-src 'self'" }))
  .get('/pages/:token/broken', () => Promise.reject(new Error('no')))
  .get('/address', (c) => c.text(c.get('exchange').address));
const service = useService({ pages: [pages], trustedProxies: 1 });

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

  test.each([
    [undefined, 'application/json'],
    ['text/html', 'application/json'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
    ['application/graphql-response+json;q=0.1, application/json', 'application/json'],
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
