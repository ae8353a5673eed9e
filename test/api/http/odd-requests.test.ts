import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { HttpEnv } from '../../../src/api/http/exchange.ts';
import { AUTHORIZATION, type Service, useService } from '../../kit/graphql-service.ts';

const pages = [new Hono<HttpEnv>().get('/address', (c) => c.text(c.get('exchange').address))];
const service = useService({ pages });

/** Sends raw request lines. @returns the whole answer. */
async function talk(lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(`${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n`);
  return await text(socket);
}

test.each([
  ['OPTIONS / HTTP/1.0', 200], // HAProxy's `option httpchk` without more.
  ['GET /readyz HTTP/1.0', 200],
  ['HEAD /healthz HTTP/1.0', 200],
  ['GET /nothing HTTP/1.0', 404],
])('a health check by HTTP/1.0 has no Host (HAProxy, Nagios): %s gets %i', async (line, status) => {
  expect(await talk([line])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test.each([
  ['/admin/apps/%F0', 'text/html,*/*', /^HTTP\/1\.1 303 [\s\S]*location: \/admin\/not-found\r\n/],
  ['/admin/apps/%F0', '*/*', /^HTTP\/1\.1 400 /],
  ['/any/%F0', 'text/html,*/*', /^HTTP\/1\.1 400 /],
])(
  'escapes of %s that are not UTF-8 are refused, and a browser (%s) finds back to the console',
  async (path, accept, answer) => {
    expect(await talk([`GET ${path} HTTP/1.1`, 'host: x', `accept: ${accept}`])).toMatch(answer);
  },
);

describe('a body', () => {
  const send = async (type: string, encoding: BufferEncoding, bom: string) => {
    const query = Buffer.from(JSON.stringify({ query: '{ status { ok } } # müller' }), encoding);
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': type, authorization: AUTHORIZATION },
      body: Buffer.concat([Buffer.from(bom, 'hex'), query]),
    });
    const answer = (await response.json()) as Awaited<ReturnType<Service['ask']>>['body'];
    return answer.errors?.[0]?.message ?? 'OK';
  };

  test.each([
    ['application/json', 'latin1', ''],
    ['application/json', 'utf16le', 'fffe'],
    ['application/json; charset=iso-8859-1', 'utf8', ''],
  ] as const)('of the type %s in %s is refused', async (type, encoding, bom) => {
    expect(await send(type, encoding, bom)).toBe('The body must be UTF-8, without compression.');
  });

  test.each([
    ['Application/JSON; Charset="UTF-8"', ''],
    ['application/json; profile=x', 'efbbbf'], // With a byte order mark.
  ])('of the type %s is read', async (type, bom) => {
    expect(await send(type, 'utf8', bom)).toBe('OK');
  });
});

test('a client cannot forge its address by a header', async () => {
  const headers = [
    'x-forwarded-for: 1.2.3.4',
    'forwarded: for=1.2.3.4',
    'x-real-ip: 1.2.3.4',
    'cf-connecting-ip: 1.2.3.4',
  ];
  expect(await talk(['GET /address HTTP/1.1', 'host: x', ...headers])).toMatch(/127\.0\.0\.1$/);
});
