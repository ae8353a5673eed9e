import type { S3Client } from '@aws-sdk/client-s3';
import { type Files, journalDamaged, journalRefused, MAX_BYTES } from './files.ts';

export interface BucketPlace {
  readonly bucket: string;
  /** The start of each key: empty, or a path that ends with a slash. */
  readonly prefix: string;
  /** Base URL of an S3-compatible server; undefined for Amazon's own. */
  readonly endpoint: string | undefined;
}

const CONNECT_MS = 3_000;
const REQUEST_MS = 10_000;
const ATTEMPTS = 2;
/** The file that shows whether the server refuses to replace a file. */
const PROBE = 'probe';

/**
 * Files in a bucket of an S3-compatible server that supports conditional writes (`If-None-Match: *`). The library
 * finds region and credentials in the usual `AWS_…` variables, a web identity, or the machine's role.
 */
export function openBucket({ bucket, prefix, endpoint }: BucketPlace): Files {
  // The library loads only for a journal in a bucket.
  const library = import('@aws-sdk/client-s3');
  let opened: Promise<S3Client> | undefined;
  const open = () => {
    opened ??= library.then(
      ({ S3Client: Client }) =>
        new Client({
          ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
          maxAttempts: ATTEMPTS,
          requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS, throwOnRequestTimeout: true },
        }),
    );
    return opened;
  };
  const at = (name: string) => ({ Bucket: bucket, Key: prefix + name });

  async function add(name: string, text: string): Promise<boolean> {
    const [client, { PutObjectCommand }] = [await open(), await library];
    try {
      await client.send(
        new PutObjectCommand({ ...at(name), Body: text, ContentType: 'application/jsonl', IfNoneMatch: '*' }),
      );
      return true;
    } catch (error) {
      // 412: the name is taken. 409: another process is writing it.
      if ([409, 412].includes(statusOf(error) ?? 0)) return false;
      throw explain(error);
    }
  }

  /** A server that ignores the condition would let a restored database overwrite facts that it lacks. */
  let proven: Promise<void> | undefined;
  async function proveConditionalWrites(): Promise<void> {
    if (!(await add(PROBE, PROBE)) || !(await add(PROBE, PROBE))) return;
    throw journalRefused('ERASURE_JOURNAL names a bucket on a server that ignores If-None-Match. Use another server.');
  }

  async function prove(): Promise<void> {
    proven ??= proveConditionalWrites();
    await proven.catch((error: unknown) => {
      proven = undefined;
      throw error;
    });
  }

  return {
    async list(from) {
      const [client, { paginateListObjectsV2 }] = [await open(), await library];
      const names: string[] = [];
      // Keys arrive in their order. Names that do not begin with a digit follow ours: the probe, other journals.
      const before = { Bucket: bucket, Prefix: prefix, StartAfter: `${prefix}${from.slice(0, -1)}` };
      try {
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, before)) {
          names.push(...Contents.map(({ Key = '' }) => Key.slice(prefix.length)));
          if (!/^\d/.test(names.at(-1) ?? '')) break;
        }
      } catch (error) {
        throw explain(error);
      }
      return names;
    },
    async read(name) {
      const [client, { GetObjectCommand }] = [await open(), await library];
      try {
        const { Body, ContentLength = Number.POSITIVE_INFINITY } = await client.send(new GetObjectCommand(at(name)));
        if (ContentLength <= MAX_BYTES) return await Body?.transformToString('utf8');
        if (Body !== undefined && 'destroy' in Body) Body.destroy();
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw explain(error);
      }
      throw journalDamaged(`${name} is too large`);
    },
    requireWritable: prove,
    async add(name, text) {
      await prove();
      return await add(name, text);
    },
  };
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'Error');
const statusOf = (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** A missing bucket is no missing file: it has a name of its own. */
const isMissing = (error: unknown) => ['NoSuchKey', 'NotFound'].includes(nameOf(error));

/** Names the server's code only: its message may name keys and hosts. */
const explain = (error: unknown) =>
  journalRefused(
    `The bucket of ERASURE_JOURNAL does not answer as expected: ${nameOf(error)}${statusOf(error) === undefined ? '' : ` (${statusOf(error)})`}.`,
  );
