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
}

const ENDED = ['SUCCEEDED', 'FAILED', 'CANCELED'];

/** A caller's job on the connection. @returns its id. */
export async function seedReadJob(sql: Database, connectionId: ConnectionId, job: SeedReadJob): Promise<string> {
  const jobId = randomUUID();
  const url = job.kind === 'LOOKUP' ? `https://platform.example/${jobId}` : null;
  const [after, before] = job.kind === 'SCAN' ? [new Date(0), new Date(1)] : [null, null];
  const isCutShort = job.kind === 'SCAN' && job.status === 'SUCCEEDED' && job.reachedEnd !== true;
  const incompleteReason = job.incompleteReason ?? (isCutShort ? 'MAX_ITEMS' : null);
  const finishedAt = ENDED.includes(job.status) ? sql`business_now()` : null;
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

/** Completes a sign-in. */
export async function completeSignIn({ sql, sealEdge }: Pick<ServedApi, 'sql' | 'sealEdge'>, id: string) {
  const nothing = { email: null, emailVerified: null, name: null, pictureUrl: null };
  const claims = JSON.stringify({ issuer: 'https://idp.example', idpSub: 'sub', ...nothing });
  await sql`
    update identity_attempt set status = 'COMPLETED', stage = 'DONE', finished_at = business_now(),
      sealed_claims = ${await sealEdge(claims, associatedData.identityClaims(id))}
    where attempt_id = ${id}
  `;
}
