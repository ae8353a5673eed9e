import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ConnectionStatus } from '../../src/basics/codes.ts';
import type { AttemptId, ConnectionId, JobId } from '../../src/basics/ids.ts';
import { endDisconnectJob } from '../../src/domain/disconnecting/end-disconnect-job.ts';
import { endReadJob } from '../../src/domain/reading/end-read-job.ts';
import { type AttemptEnd, connectAttempts, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { type IdentityEnd, moveIdentityAttemptToEnd } from '../../src/store/attempts/identity-attempts.ts';
import { suspendConnections } from '../../src/store/connections/siblings.ts';
import { moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import type { ReadJobEnd } from '../../src/store/jobs/read-jobs.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { moveSyncToEnd, moveSyncToPending, moveSyncToRunning } from '../../src/store/jobs/scans.ts';
import { TRANSITIONS } from '../../src/store/transitions.ts';
import { type Caller, conformanceTest } from '../kit/conformance.ts';
import { type Database, inTransaction } from '../kit/postgres.ts';
import { moveConnection, seedConnection } from '../kit/seed.ts';
import { seedReadJob } from './rows.ts';

const test = conformanceTest();

/** A store function that writes a status, on one row in any status. */
type Mover = (to: string) => Promise<unknown>;
interface Rows {
  readonly table: string;
  readonly column: string;
  readonly key: string;
  readonly id: string;
  readonly statuses: readonly string[];
  readonly move: Mover;
  /** The columns that a row in this status must have as well. */
  readonly with?: (status: string) => Readonly<Record<string, unknown>>;
}

/** Tries every pair of different statuses. @returns the moves that succeeded, as `from → to`. */
async function movesMade(sql: Database, { table, column, key, id, statuses, move, ...given }: Rows): Promise<string[]> {
  const made: string[] = [];
  for (const from of statuses) {
    for (const to of statuses) {
      const columns = { ...given.with?.(from), [column]: from };
      await sql`update ${sql(table)} set ${sql(columns as Record<string, null>)} where ${sql(key)} = ${id}`;
      await move(to);
      const [row] = await sql`select ${sql(column)} as status from ${sql(table)} where ${sql(key)} = ${id}`;
      if (row?.status !== from) made.push(`${from} → ${row?.status}`);
    }
  }
  return made.sort();
}

/**
 * Every allowed move of a status and its cause, from the contract and the decisions that complete it. The tests of attempts, jobs,
 * syncing, disconnecting and sign-ins cause each move from outside, and try the forbidden ones.
 */
const CAUSES: Record<keyof typeof TRANSITIONS, Readonly<Record<string, string>>> = {
  attempt: {
    'CREATED → AUTHORIZING': 'launched',
    'CREATED → FAILED': 'no longer allowed',
    'CREATED → EXPIRED': '10 minutes passed',
    'CREATED → CANCELED': 'replaced or disconnected',
    'AUTHORIZING → EXCHANGING': 'the person allows',
    'AUTHORIZING → DENIED': 'the person denies',
    'AUTHORIZING → FAILED': 'the platform cannot ask',
    'AUTHORIZING → EXPIRED': '10 minutes passed',
    'AUTHORIZING → CANCELED': 'replaced or disconnected',
    'EXCHANGING → COMPLETED': 'connected',
    'EXCHANGING → FAILED': 'the platform refuses',
    'EXCHANGING → EXPIRED': '10 minutes passed',
    'EXCHANGING → CANCELED': 'replaced or disconnected',
  },
  connection: {
    'CONNECTED → SUSPENDED': 'its grant is disconnected elsewhere',
    'CONNECTED → RECONNECT_REQUIRED': 'the grant has ended',
    'CONNECTED → DISCONNECTED': 'disconnect',
    'SUSPENDED → CONNECTED': 'the grant is alive',
    'SUSPENDED → RECONNECT_REQUIRED': 'the grant has ended',
    'SUSPENDED → DISCONNECTED': 'disconnect',
    'RECONNECT_REQUIRED → CONNECTED': 'the person connects again',
    'RECONNECT_REQUIRED → DISCONNECTED': 'disconnect',
    'DISCONNECTED → DELETING': 'the erase begins',
  },
  sync: {
    'PENDING → RUNNING': 'a scan begins',
    'PENDING → FAILED': 'it cannot begin',
    'RUNNING → READY': 'all read',
    'RUNNING → PARTIAL': 'part read',
    'RUNNING → FAILED': 'nothing read',
    'READY → RUNNING': 'a scan begins',
    'READY → FAILED': 'it cannot begin',
    'PARTIAL → RUNNING': 'a scan begins',
    'PARTIAL → FAILED': 'it cannot begin',
    'FAILED → RUNNING': 'a scan begins',
    'FAILED → PENDING': 'the person connects again',
  },
  job: {
    'QUEUED → RUNNING': 'a worker takes it',
    'QUEUED → FAILED': 'it cannot begin',
    'QUEUED → CANCELED': 'the connection is disconnected',
    'RUNNING → SUCCEEDED': 'done',
    'RUNNING → FAILED': 'given up',
    'RUNNING → CANCELED': 'the connection is disconnected',
    'FAILED → QUEUED': 'an operator retries a revoke',
  },
  identity: {
    'PENDING → COMPLETED': 'signed in',
    'PENDING → DENIED': 'the person denies',
    'PENDING → FAILED': 'the issuer refuses',
    'PENDING → EXPIRED': '10 minutes passed',
  },
};

/** The moves written by hand, without those of another kind of row. */
const allowed = (machine: keyof typeof TRANSITIONS, except: readonly string[] = []) =>
  Object.keys(CAUSES[machine])
    .filter((move) => !except.includes(move))
    .toSorted();

const listed = (machine: keyof typeof TRANSITIONS) =>
  Object.entries<readonly string[]>(TRANSITIONS[machine])
    .flatMap(([to, sources]) => sources.filter((from) => from !== to).map((from) => `${from} → ${to}`))
    .sort();

/** Before its deadline nothing expires; afterwards every end is EXPIRED. */
const isExpiry = (move: string) => move.endsWith('→ EXPIRED');
const beforeDeadline = (move: string) => !isExpiry(move);
const isEnd = (move: string) => !/→ (AUTHORIZING|EXCHANGING)$/.test(move);

/** Only a job that has ended has the time of its end. */
const finishedAt = (status: string) => ({ finished_at: ['QUEUED', 'RUNNING'].includes(status) ? null : new Date() });

const newAttempt = async (client: Caller) => (await client.createSession()).id as AttemptId;

describe('D transitions', () => {
  test('D transitions: a Connect attempt makes exactly the listed moves', async ({ client, sql }) => {
    const id = await newAttempt(client);
    const tokens = () => ({
      stateSha256: Buffer.from(randomUUID()),
      browserSha256: Buffer.from('b'),
      sealedCodeVerifier: null,
    });
    const move: Mover = (to) =>
      inTransaction(sql, async (tx) => {
        if (to === 'AUTHORIZING') return await connectAttempts.moveToAuthorizing(tx, id, tokens());
        if (to === 'EXCHANGING') return await connectAttempts.moveToExchanging(tx, id, 'sealed');
        if (to === 'CREATED') return false;
        const connectionId = randomUUID() as ConnectionId;
        return await moveAttemptToEnd(tx, id, {
          status: to,
          resultCode: 'EXPIRED',
          connectionId,
        } as unknown as AttemptEnd);
      });
    const statuses = ['CREATED', ...Object.keys(TRANSITIONS.attempt)];
    const row = {
      table: 'connect_attempt',
      column: 'status',
      key: 'attempt_id',
      id,
      statuses,
      move,
      with: (status: string) => ({
        sealed_code: null,
        sealed_code_verifier: null,
        connection_id: status === 'COMPLETED' ? randomUUID() : null,
      }),
    };
    expect(await movesMade(sql, row)).toEqual(allowed('attempt').filter(beforeDeadline));
    await sql`update connect_attempt set expires_at = business_now() where attempt_id = ${id}`;
    expect(new Set((await movesMade(sql, row)).filter(isEnd))).toEqual(new Set(allowed('attempt').filter(isExpiry)));
  });

  test('D transitions: a connection makes exactly the listed moves', async ({ client, sql }) => {
    const id = await seedConnection(sql, client.seeded, { scope: client.scope });
    const statuses = Object.keys(TRANSITIONS.connection);
    const row = { table: 'connection', column: 'status', key: 'connection_id', id, statuses };
    const move: Mover = (to) => moveConnection(sql, id, to as ConnectionStatus);
    expect(await movesMade(sql, { ...row, move })).toEqual(allowed('connection'));
    const suspend: Mover = () => inTransaction(sql, (tx) => suspendConnections(tx, [id]));
    expect(new Set(await movesMade(sql, { ...row, move: suspend }))).toEqual(new Set(['CONNECTED → SUSPENDED']));
  });

  test('D transitions: a sync makes exactly the listed moves', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const statuses = Object.keys(TRANSITIONS.sync);
    const move: Mover = async (to) => {
      if (to === 'RUNNING') await moveSyncToRunning(sql, { connectionId } as Parameters<typeof moveSyncToRunning>[1]);
      else if (to === 'PENDING') await moveSyncToPending(sql, connectionId);
      else await moveSyncToEnd(sql, { connectionId, chainStartedAt: new Date() }, to as 'READY');
    };
    const row = { table: 'connection', column: 'sync_status', key: 'connection_id', id: connectionId, statuses, move };
    expect(await movesMade(sql, row)).toEqual(allowed('sync'));
  });

  test('D transitions: a job makes exactly the listed moves', async ({ client, sql }) => {
    const statuses = Object.keys(TRANSITIONS.job);
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const id = (await seedReadJob(sql, connectionId, { kind: 'METRICS', status: 'QUEUED' })) as JobId;
    // Only an operator can reopen a job, and only a revoke.
    const reopened = 'FAILED → QUEUED';
    const read: Mover = async (to) => {
      if (to === 'RUNNING') return await moveReadJobToRunning(sql, id);
      return to !== 'QUEUED' && (await endReadJob(sql, id, { status: to, errorCode: 'INTERNAL' } as ReadJobEnd));
    };
    const reads = { table: 'read_job', column: 'status', key: 'job_id', id, statuses, move: read, with: finishedAt };
    expect(await movesMade(sql, reads)).toEqual(allowed('job', [reopened]));

    const revokeJobId = (await client.ask('disconnectConnection', { connectionId })).revokeJobId as JobId;
    const release: Mover = async (to) => {
      if (to === 'RUNNING') return await moveDisconnectJobToRunning(sql, revokeJobId);
      const end = { status: to as 'FAILED', creatorAction: null, errorCode: 'INTERNAL' as const };
      return ['SUCCEEDED', 'FAILED'].includes(to) && (await endDisconnectJob(sql, revokeJobId, end));
    };
    const releases = {
      table: 'disconnect_job',
      column: 'status',
      key: 'job_id',
      id: revokeJobId,
      statuses,
      move: release,
      with: finishedAt,
    };
    const canceled = ['QUEUED → CANCELED', 'RUNNING → CANCELED'];
    expect(await movesMade(sql, releases)).toEqual(allowed('job', [reopened, ...canceled]));
  });

  test('D transitions: a sign-in makes exactly the listed moves', async ({ client, sql }) => {
    const { id } = await client.createSignIn();
    const statuses = ['PENDING', ...Object.keys(TRANSITIONS.identity)];
    const move: Mover = async (to) =>
      to !== 'PENDING' &&
      (await moveIdentityAttemptToEnd(sql, id, {
        status: to,
        sealedClaims: to === 'COMPLETED' ? 'sealed' : null,
      } as IdentityEnd));
    const row = {
      table: 'identity_attempt',
      column: 'status',
      key: 'attempt_id',
      id,
      statuses,
      move,
      with: () => ({ sealed_claims: null }),
    };
    expect(await movesMade(sql, row)).toEqual(allowed('identity').filter(beforeDeadline));
    await sql`update identity_attempt set expires_at = business_now() where attempt_id = ${id}`;
    expect(new Set(await movesMade(sql, row))).toEqual(new Set(allowed('identity').filter(isExpiry)));
  });

  test('D transitions: the table in the code equals the one written by hand', () => {
    for (const machine of Object.keys(CAUSES) as (keyof typeof CAUSES)[])
      expect(listed(machine), machine).toEqual(allowed(machine));
  });

  test('D transitions: the diagrams in the documentation show exactly these moves', async () => {
    await expect(diagrams()).toMatchFileSnapshot('../../docs/states.md');
  });
});

const TITLES: Record<keyof typeof TRANSITIONS, readonly [title: string, first: string, note: string]> = {
  attempt: ['Connect attempt', 'CREATED', 'From its deadline on, an unfinished attempt reads EXPIRED.'],
  connection: ['Connection', 'CONNECTED', 'After DELETING only the two receipts remain.'],
  sync: [
    'Sync of a connection',
    'PENDING',
    'READY and PARTIAL read STALE 24 hours after the last success. Without CONTENT_LIST, every status reads READY.',
  ],
  job: ['Job', 'QUEUED', 'Only a revoke can move from FAILED to QUEUED.'],
  identity: ['Sign-in', 'PENDING', 'From its deadline on, a PENDING sign-in reads EXPIRED.'],
};

function diagrams(): string {
  const parts = (Object.keys(TRANSITIONS) as (keyof typeof TRANSITIONS)[]).map((machine) => {
    const [title, first, note] = TITLES[machine];
    const causes = CAUSES[machine];
    const moves = Object.keys(causes).map((move) => `    ${move.replace('→', '-->')}: ${causes[move]}`);
    const last = machine === 'connection' ? ['    DELETING --> [*]: erased'] : [];
    const lines = ['stateDiagram-v2', `    [*] --> ${first}`, ...moves, ...last];
    return [`## ${title}`, '', note, '', '```mermaid', ...lines, '```'].join('\n');
  });
  const head = [
    '# States',
    '',
    '**Use this page** to see every move of a status and its cause. `src/store/transitions.ts` allows no other move.',
    '`npx vitest run test/conformance/transitions.test.ts -u` writes this page.',
  ];
  return `${[head.join('\n'), ...parts].join('\n\n')}\n`;
}
