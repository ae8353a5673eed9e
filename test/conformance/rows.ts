import { createHash, randomUUID } from 'node:crypto';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import type { ServedApi } from '../kit/conformance.ts';
import type { Database } from '../kit/postgres.ts';

/** Rows as the worker writes them, for tests of other rules. Another test proves how the worker writes them. */

export interface SeedReadJob {
  readonly kind: 'SCAN' | 'METRICS' | 'LOOKUP';
  readonly status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
  /** The post that a lookup found. */
  readonly result?: string;
  readonly reachedEnd?: boolean;
  /** Where an incomplete scan continues. */
  readonly cursor?: string;
  readonly incompleteReason?: string;
  readonly errorCode?: string;
  readonly window?: readonly [after: Date, before: Date];
  /** Business time by default. */
  readonly finishedAt?: Date;
}

const ENDED = ['SUCCEEDED', 'FAILED', 'CANCELED'];

/** A caller's job on the connection. @returns its id. */
export async function seedReadJob(sql: Database, connectionId: ConnectionId, job: SeedReadJob): Promise<string> {
  const jobId = randomUUID();
  const url = job.kind === 'LOOKUP' ? `https://platform.example/${jobId}` : null;
  const [after, before] = job.kind === 'SCAN' ? (job.window ?? [new Date(0), new Date(1)]) : [null, null];
  const isCutShort = job.kind === 'SCAN' && job.status === 'SUCCEEDED' && job.reachedEnd !== true;
  const incompleteReason = job.incompleteReason ?? (isCutShort ? 'MAX_ITEMS' : null);
  const finishedAt = ENDED.includes(job.status) ? (job.finishedAt ?? sql`business_now()`) : null;
  await sql`
    insert into read_job (job_id, kind, status, connection_id, app_id, provider, requested_by, url, url_sha256,
      provider_content_id, published_after, published_before, max_items, provider_cursor, reached_end, error_code,
      incomplete_reason, result_provider_content_id, correlation_id, finished_at)
    select ${jobId}, ${job.kind}, ${job.status}, connection_id, app_id, provider, 'CALLER', ${url},
      ${url === null ? null : createHash('sha256').update(url).digest()}, ${job.kind === 'METRICS' ? jobId : null},
      ${after}, ${before}, ${job.kind === 'SCAN' ? 100 : null}, ${job.cursor ?? null}, ${job.reachedEnd ?? false},
      ${job.errorCode ?? null}, ${incompleteReason}, ${job.result ?? null}, ${randomUUID()}, ${finishedAt}
    from connection where connection_id = ${connectionId}
  `;
  return jobId;
}

/** Ends a sign-in; only a COMPLETED one has claims. */
export async function seedSignIn(
  { sql, sealEdge }: Pick<ServedApi, 'sql' | 'sealEdge'>,
  id: string,
  status: 'COMPLETED' | 'DENIED' | 'FAILED' | 'EXPIRED',
  claims: object = {
    issuer: 'https://idp.example',
    idpSub: 'sub',
    email: null,
    emailVerified: null,
    name: null,
    pictureUrl: null,
  },
): Promise<void> {
  const sealed =
    status === 'COMPLETED' ? await sealEdge(JSON.stringify(claims), associatedData.identityClaims(id)) : null;
  await sql`
    update identity_attempt set status = ${status}, stage = 'DONE', sealed_claims = ${sealed}, finished_at = business_now()
    where attempt_id = ${id}
  `;
}
