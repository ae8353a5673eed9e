import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { HttpEnv } from '../../../src/api/http/exchange.ts';
import { AUTHORIZATION, type Service, useService } from '../../kit/graphql-service.ts';

const QUERY = JSON.stringify({ query: '{ integrationReadiness { idpIdentityAvailable } }' });

const pages = [new Hono<HttpEnv>().get('/address', (c) => c.text(c.get('exchange').address))];
const service = useService({ pages });

/** Sends raw request lines. @returns the whole answer. */
async function talk(lines: readonly string[], body = ''): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(`${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n${body}`);
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  await once(socket, 'close');
  return answer;
}

/** Sends a POST to `target` with the usual headers and these. */
const post = (target: string, headers: readonly string[] = [`authorization: ${AUTHORIZATION}`], host = 'x') =>
  talk(
    [
      `POST ${target} HTTP/1.1`,
      `host: ${host}`,
      'content-type: application/json',
      `content-length: ${QUERY.length}`,
      ...headers,
    ],
    QUERY,
  );

describe('a health check by HTTP/1.0, which has no Host (HAProxy, Nagios)', () => {
  test.each([
    ['OPTIONS / HTTP/1.0', 200], // HAProxy's `option httpchk` without more.
    ['OPTIONS /readyz HTTP/1.0', 200],
    ['GET /readyz HTTP/1.0', 200],
    ['HEAD /healthz HTTP/1.0', 200],
    ['GET /nothing HTTP/1.0', 404],
    ['GET /readyz HTTP/1.1', 400],
  ])('%s gets %i', async (line, status) => {
    expect(statusOf(await talk([line]))).toBe(status);
  });
});

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

describe('a body', () => {
  const send = async (
    text: string,
    { type = 'application/json', encoding = 'utf8' as BufferEncoding, bom = '' } = {},
  ) => {
    const query = JSON.stringify({ query: `{ status { ok } } # ${text}` });
    const body = Buffer.concat([Buffer.from(bom, 'hex'), Buffer.from(query, encoding)]);
    const headers = { 'content-type': type, authorization: AUTHORIZATION };
    const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body });
    const answer = (await response.json()) as Awaited<ReturnType<Service['ask']>>['body'];
    return [response.status, answer.errors?.[0]?.extensions.code ?? 'OK', answer.errors?.[0]?.message];
  };

  test.each([
    ['Latin-1', { encoding: 'latin1' }],
    ['UTF-16', { encoding: 'utf16le' }],
    ['UTF-16 with a byte order mark', { encoding: 'utf16le', bom: 'fffe' }],
    ['a charset that is not UTF-8', { type: 'application/json; charset=iso-8859-1' }],
    ['a charset that is not UTF-8, in quotes', { type: 'application/json;charset="utf-16"' }],
    ['two charsets', { type: 'application/json; charset=utf-8; charset=latin1' }],
    ['an overlong sequence', { bom: 'c080' }],
    ['a surrogate', { bom: 'eda080' }],
  ] as const)('in %s is refused', async (_, options) => {
    expect(await send('müller', options)).toEqual([
      400,
      'BAD_USER_INPUT',
      'The body must be UTF-8, without compression.',
    ]);
  });

  test.each([
    ['UTF-8', {}],
    ['UTF-8 with a byte order mark', { bom: 'efbbbf' }],
    ['a charset of UTF-8', { type: 'Application/JSON; Charset="UTF-8"' }],
    ['another parameter', { type: 'application/json; profile=x' }],
  ] as const)('in %s is read', async (_, options) => {
    expect(await send('müller', options)).toEqual([200, 'OK', undefined]);
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
