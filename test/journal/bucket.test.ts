import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openBucket } from '../../src/journal/bucket.ts';

// `npm run test:s3` tests the bucket against a real S3 server. These are servers that a real one never is.

const closing: (() => void)[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test-secret');
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) close();
});

const open = (endpoint: string) => openBucket({ bucket: 'journal', prefix: '', endpoint });

test('writes nothing to a server that ignores conditions, because it would replace facts', async () => {
  const written: string[] = [];
  const endpoint = await serve((request, response) => {
    if (request.method === 'PUT') written.push(request.url?.split('?')[0] ?? '');
    request.resume().on('end', () => response.writeHead(200).end());
  });
  const files = open(endpoint);
  for (const name of ['000000000/001.jsonl', '000000000/002.jsonl']) {
    await expect(files.add(name, 'text')).rejects.toThrow('on a server that ignores If-None-Match');
  }
  expect(new Set(written)).toEqual(new Set(['/journal/probe']));
});

test('reports a server that is away, and one that fails, by a code', async () => {
  const gone = await serve((_, response) => response.end());
  for (const close of closing.splice(0)) close();
  await expect(open(gone).list('')).rejects.toThrow(/does not answer as expected: \w+\.$/);
  const failing = await serve((request, response) => {
    const body = '<Error><Code>InternalError</Code><Message>secret-host says no</Message></Error>';
    request.resume().on('end', () => response.writeHead(500, { 'content-type': 'application/xml' }).end(body));
  });
  await expect(open(failing).read('000000000/001.jsonl')).rejects.toThrow(
    /^The bucket of ERASURE_JOURNAL does not answer as expected: InternalError \(500\)\.$/,
  );
});
