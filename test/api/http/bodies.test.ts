import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { describe, expect, test, vi } from 'vitest';
import { acceptBody } from '../../../src/api/http/bodies.ts';
import type { HttpEnv } from '../../../src/api/http/exchange.ts';
import { useService } from '../../kit/graphql-service.ts';

const undeclared = vi.fn();
const pages = new Hono<HttpEnv>()
  .post('/undeclared', async (c) => {
    undeclared(await c.req.text(), await c.req.arrayBuffer(), c.req.raw.body);
    return c.text('read');
  })
  .post('/declared', acceptBody(10), async (c) => c.text(await c.req.text()))
  .get('/any', (c) => c.text('read'));
const service = useService({ pages: [pages] });

test('a handler of a route without a limit receives no body', async () => {
  const response = await fetch(`${service.url}/undeclared`, { method: 'POST', body: 'x'.repeat(100) });
  expect(await response.text()).toBe('read');
  expect(undeclared.mock.calls).toEqual([['', new ArrayBuffer(0), null]]);
});

test('a body up to the limit of its route arrives complete, and a longer one is refused', async () => {
  const post = (body: string) => fetch(`${service.url}/declared`, { method: 'POST', body });
  expect(await (await post('0123456789')).text()).toBe('0123456789');
  expect((await post('0123456789x')).status).toBe(413);
  expect(await (await post('')).text()).toBe('');
});

test('a compressed body is not decompressed', async () => {
  const packed = gzipSync(JSON.stringify({ query: '{ status { ok } }' }).padEnd(10_000_000, ' '));
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    body: packed,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('The body must be UTF-8, without compression.');
});

describe('over a raw connection', () => {
  const talk = async (text: string) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(text);
    return await readAll(socket);
  };
  const start = 'POST /declared HTTP/1.1\r\nhost: x\r\nconnection: close\r\n';

  test.each([
    ['two lengths', `${start}content-length: 3\r\ncontent-length: 5\r\n\r\nabcde`],
    ['a length and chunks', `${start}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n`],
    ['a length that is not a number', `${start}content-length: 0x3\r\n\r\nabc`],
    ['a chunk size that is not a number', `${start}transfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`],
    ['chunks twice', `${start}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
    ['two hosts', 'GET /any HTTP/1.1\r\nhost: x\r\nhost: x\r\n\r\n'],
  ])('%s is a bad request', async (_name, text) => {
    expect(await talk(text)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each(['gzip, chunked', 'Chunked', 'identity, chunked'])(
    'the Transfer-Encoding %s is not implemented, and no request behind it runs',
    async (codings) => {
      undeclared.mockClear();
      const first = `POST /declared HTTP/1.1\r\nhost: x\r\ntransfer-encoding: ${codings}\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
      const second = 'POST /undeclared HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n';
      const answer = await talk(first + second);
      expect(answer).toMatch(/^HTTP\/1\.1 501 /);
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
      expect(undeclared).not.toHaveBeenCalled();
    },
  );

  test('a body of 1,000 chunks is read, and one of more closes the connection', async () => {
    const chunked = (count: number) =>
      talk(
        `POST /graphql HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(count)}0\r\n\r\n`,
      );
    expect(await chunked(1_000)).toContain('The body is not JSON.');
    const before = process.cpuUsage();
    expect(await chunked(60_000)).toMatch(/^HTTP\/1\.1 413 [\s\S]*The body must have at most 1000 chunks\.$/);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(200);
  });

  test('a body of 256 KiB with its chunks is read no further, however little it holds', async () => {
    const chunks = (count: number) => `1;${'a'.repeat(1_000)}\r\n \r\n`.repeat(count);
    const post = (body: string) =>
      talk(
        `POST /graphql HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${body}0\r\n\r\n`,
      );
    expect(await post(chunks(200))).toContain('The body is not JSON.');
    expect(await post(chunks(900))).toMatch(/^HTTP\/1\.1 413 [\s\S]*must have at most 262144 bytes with its chunks\.$/);
  });
});
