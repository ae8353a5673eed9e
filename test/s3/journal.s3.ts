import { randomBytes } from 'node:crypto';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { expect, test as plainTest } from 'vitest';
import { openBucket } from '../../src/journal/bucket.ts';
import { fileName } from '../../src/journal/files.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { journalLine, journalMac } from '../kit/journal.ts';

const endpoint = process.env.S3_ENDPOINT ?? '';
const client = new S3Client({ endpoint, forcePathStyle: true });

const lines = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => journalLine(first + index));

const test = plainTest.extend<{ bucket: string }>({
  bucket: async ({}, use) => {
    const bucket = `journal-${randomBytes(6).toString('hex')}`;
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    await use(bucket);
  },
});

const keysOf = async (bucket: string) =>
  ((await client.send(new ListObjectsV2Command({ Bucket: bucket }))).Contents ?? []).map(({ Key }) => Key).sort();

async function expectRefused(journal: Journal, reason: string): Promise<void> {
  const refused = { name: 'ServiceError', message: expect.stringContaining(reason) };
  for (const work of [() => journal.lastNumber(), () => journal.read(1), () => journal.append([journalLine(1)])]) {
    await expect(work()).rejects.toMatchObject(refused);
  }
}

test('gives back lines in the order of their numbers, from any line on', async ({ bucket }) => {
  const journal = openJournal(`s3://${bucket}/accounts/journal`, journalMac, endpoint);
  expect(await journal.lastNumber()).toBe(0);
  expect(await journal.read(1)).toBeUndefined();
  const written = lines(1, 5);
  await journal.append(written.slice(0, 2));
  await journal.append(written.slice(2));
  expect(await journal.lastNumber()).toBe(5);
  expect(await journal.read(1)).toEqual(written.slice(0, 2));
  expect(await journal.read(3)).toEqual(written.slice(2));
  expect(await keysOf(bucket)).toEqual([
    'accounts/journal/000000000/001.jsonl',
    'accounts/journal/000000000/003.jsonl',
    'accounts/journal/probe',
  ]);
});

test('keeps journals of several installations apart by their paths', async ({ bucket }) => {
  await openJournal(`s3://${bucket}/one/`, journalMac, endpoint).append([journalLine(1)]);
  await openJournal(`s3://${bucket}`, journalMac, endpoint).append(lines(1, 3));
  expect(await openJournal(`s3://${bucket}/one`, journalMac, endpoint).lastNumber()).toBe(1);
  expect(await openJournal(`s3://${bucket}/on`, journalMac, endpoint).lastNumber()).toBe(0);
  expect(await openJournal(`s3://${bucket}`, journalMac, endpoint).lastNumber()).toBe(3);
});

test('never replaces a batch, also if two processes write it at the same time', async ({ bucket }) => {
  const writers = [1, 2, 3, 4].map(() => openJournal(`s3://${bucket}`, journalMac, endpoint));
  const batches = writers.map(() => [journalLine(1)]);
  const done = await Promise.allSettled(writers.map((writer, index) => writer.append(batches[index] ?? [])));
  const won = done.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
  expect(won).toHaveLength(1);
  expect(await writers[0]?.read(1)).toEqual(batches[won[0] ?? 0]);
  await expect(writers[0]?.append([journalLine(1)])).rejects.toThrow('already has a batch that begins with line 1.');
});

test('lists from a name on, and more files than one answer of the server holds', async ({ bucket }) => {
  const files = openBucket({ bucket, prefix: 'deep/', endpoint });
  const names = Array.from({ length: 1_105 }, (_, index) => fileName(index + 1));
  for (let next = 0; next < names.length; next += 50) {
    await Promise.all(names.slice(next, next + 50).map((name) => files.add(name, '')));
  }
  const list = async (from: string) => (await files.list(from)).filter((name) => name.endsWith('.jsonl'));
  expect(await list(fileName(1))).toEqual(names);
  expect(await list(fileName(1_000))).toEqual(names.slice(999));
  expect(await list(fileName(1_105))).toEqual(names.slice(-1));
  expect(await list(fileName(1_106))).toEqual([]);
});

test('does not mistake a missing bucket, or refused credentials, for an empty journal', async ({ bucket }) => {
  await expectRefused(openJournal('s3://no-such-bucket', journalMac, endpoint), 'NoSuchBucket (404)');
  const { AWS_SECRET_ACCESS_KEY: secret } = process.env;
  process.env.AWS_SECRET_ACCESS_KEY = 'another';
  try {
    await expectRefused(openJournal(`s3://${bucket}`, journalMac, endpoint), 'SignatureDoesNotMatch (403)');
  } finally {
    process.env.AWS_SECRET_ACCESS_KEY = secret;
  }
});
