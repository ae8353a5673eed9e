import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openBucket } from '../../src/journal/bucket.ts';
import { answerWith, openReceiver } from '../kit/webhook-receiver.ts';

// `npm run test:s3` tests the bucket against a real S3 server. These are servers that a real one never is.

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test-secret');
});
afterEach(() => void vi.unstubAllEnvs());

/** A bucket of a server that gives each request this answer. */
async function open(answer: ReturnType<typeof answerWith>) {
  const server = await openReceiver();
  onTestFinished(server.close);
  server.answer(answer);
  return { server, files: openBucket({ bucket: 'journal', prefix: '', endpoint: new URL(server.url).origin }) };
}

test('writes nothing to a server that ignores conditions, because it would replace facts', async () => {
  const { server, files } = await open(answerWith(200));
  for (const name of ['000000000/001.jsonl', '000000000/002.jsonl']) {
    await expect(files.add(name, 'text')).rejects.toThrow('on a server that ignores If-None-Match');
  }
  const written = server.received.filter(({ method }) => method === 'PUT');
  expect(new Set(written.map(({ path }) => path.split('?')[0]))).toEqual(new Set(['/journal/probe']));
});

test('reports a server that is away, and one that fails, by a code', async () => {
  const away = await open(answerWith(204));
  await away.server.close();
  await expect(away.files.list('')).rejects.toThrow(/does not answer as expected: \w+\.$/);
  const body = '<Error><Code>InternalError</Code><Message>secret-host says no</Message></Error>';
  const failing = await open(answerWith(500, { 'content-type': 'application/xml' }, body));
  await expect(failing.files.read('000000000/001.jsonl')).rejects.toThrow(
    /^The bucket of ERASURE_JOURNAL does not answer as expected: InternalError \(500\)\.$/,
  );
});
