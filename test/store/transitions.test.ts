import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type AttemptId, type ConnectionId, type JobId, newId } from '../../src/basics/ids.ts';
import { endDisconnectJob } from '../../src/domain/disconnecting/end-disconnect-job.ts';
import { endReadJob } from '../../src/domain/reading/end-read-job.ts';
import { type AttemptEnd, connectAttempts, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { type IdentityEnd, moveIdentityAttemptToEnd } from '../../src/store/attempts/identity-attempts.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { suspendConnections } from '../../src/store/connections/siblings.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import type { ReadJobEnd } from '../../src/store/jobs/read-jobs.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { moveSyncToEnd, moveSyncToPending, moveSyncToRunning } from '../../src/store/jobs/scans.ts';
import { TRANSITIONS } from '../../src/store/transitions.ts';
import { test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { seedAttempt, seedSignIn } from '../kit/seed-attempts.ts';
import { insertJob, seedDisconnectJob } from '../kit/seed-jobs.ts';

/**
 * Every allowed move of a status and its cause, from the contract and the decisions that complete it. The conformance tests of attempts,
 * jobs, syncing, disconnecting and sign-ins cause each move from outside, and try the forbidden ones.
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

type Kind = keyof typeof TRANSITIONS;

const listed = (kind: Kind) =>
  Object.entries<readonly string[]>(TRANSITIONS[kind])
    .flatMap(([to, sources]) => sources.filter((from) => from !== to).map((from) => `${from} → ${to}`))
    .sort();

/** The functions that write a status, and a row on which they are tried from every status to every other. */
interface Machine {
  readonly kind: Kind;
  readonly table: string;
  readonly key: string;
  readonly column?: string;
  /** Moves that no function of this kind of row makes. */
  readonly except?: readonly string[];
  readonly seed: (sql: Database, seeded: SeededApp) => Promise<string>;
  readonly move: (sql: Database, id: never, to: string) => Promise<unknown>;
  /** The columns that a row in this status must have as well. */
  readonly with?: (status: string) => Readonly<Record<string, unknown>>;
}

const newConnection = (sql: Database, seeded: SeededApp) => seedConnection(sql, seeded, { scope: seeded.newScope() });
/** Only a job that has ended has the time of its end. */
const finishedAt = (status: string) => ({ finished_at: ['QUEUED', 'RUNNING'].includes(status) ? null : new Date() });
/** Only an operator can reopen a job, and only a revoke. */
const REOPENED = 'FAILED → QUEUED';

const MACHINES: Readonly<Record<string, Machine>> = {
  'a Connect attempt': {
    ...{ kind: 'attempt', table: 'connect_attempt', key: 'attempt_id' },
    seed: async (sql, seeded) => (await seedAttempt(sql, seeded)).attemptId,
    with: (status) => ({
      ...{ sealed_code: null, sealed_code_verifier: null },
      connection_id: status === 'COMPLETED' ? newId<ConnectionId>() : null,
    }),
    move: (sql, id: AttemptId, to) =>
      inTransaction(sql, async (tx) => {
        const tokens = { stateSha256: randomBytes(32), browserSha256: randomBytes(32), sealedCodeVerifier: null };
        if (to === 'AUTHORIZING') return await connectAttempts.moveToAuthorizing(tx, id, tokens);
        if (to === 'EXCHANGING') return await connectAttempts.moveToExchanging(tx, id, 'sealed');
        const end = { status: to, resultCode: 'EXPIRED', connectionId: newId<ConnectionId>() };
        return to !== 'CREATED' && (await moveAttemptToEnd(tx, id, end as unknown as AttemptEnd));
      }),
  },
  'a connection': {
    ...{ kind: 'connection', table: 'connection', key: 'connection_id', seed: newConnection },
    move: (sql, id: ConnectionId, to) => moveConnection(sql, id, to as 'CONNECTED'),
  },
  'a sync': {
    ...{ kind: 'sync', table: 'connection', key: 'connection_id', column: 'sync_status', seed: newConnection },
    move: async (sql, connectionId: ConnectionId, to) => {
      if (to === 'RUNNING') await moveSyncToRunning(sql, { connectionId } as Parameters<typeof moveSyncToRunning>[1]);
      else if (to === 'PENDING') await moveSyncToPending(sql, connectionId);
      else await moveSyncToEnd(sql, { connectionId, chainStartedAt: new Date() }, to as 'READY');
    },
  },
  'a read': {
    ...{ kind: 'job', table: 'read_job', key: 'job_id', except: [REOPENED], with: finishedAt },
    seed: async (sql, seeded) =>
      await insertJob(sql, seeded, { kind: 'LOOKUP', connectionId: await newConnection(sql, seeded) }),
    move: async (sql, id: JobId, to) => {
      if (to === 'RUNNING') return await moveReadJobToRunning(sql, id);
      return to !== 'QUEUED' && (await endReadJob(sql, id, { status: to, errorCode: 'INTERNAL' } as ReadJobEnd));
    },
  },
  'a revoke': {
    ...{ kind: 'job', table: 'disconnect_job', key: 'job_id', with: finishedAt },
    except: [REOPENED, 'QUEUED → CANCELED', 'RUNNING → CANCELED'],
    seed: (sql, seeded) => seedDisconnectJob(sql, seeded, { connectionId: newId<ConnectionId>(), run: 0 }),
    move: async (sql, id: JobId, to) => {
      if (to === 'RUNNING') return await moveDisconnectJobToRunning(sql, id);
      const end = { status: to as 'FAILED', creatorAction: null, errorCode: 'INTERNAL' as const };
      return ['SUCCEEDED', 'FAILED'].includes(to) && (await endDisconnectJob(sql, id, end));
    },
  },
  'a sign-in': {
    ...{ kind: 'identity', table: 'identity_attempt', key: 'attempt_id', with: () => ({ sealed_claims: null }) },
    seed: async (sql, seeded) => (await seedSignIn(sql, seeded)).attemptId,
    move: async (sql, id: AttemptId, to) => {
      const end = { status: to, sealedClaims: to === 'COMPLETED' ? 'sealed' : null } as IdentityEnd;
      return to !== 'PENDING' && (await moveIdentityAttemptToEnd(sql, id, end));
    },
  },
};

/** Tries every pair of different statuses. @returns the moves that were made; any other one leaves the row as it was. */
async function movesMade(sql: Database, { kind, table, key, column = 'status', move, ...given }: Machine, id: string) {
  const statuses = new Set(Object.keys(CAUSES[kind]).flatMap((one) => one.split(' → ')));
  const read = async () =>
    (await sql`select *, ${sql(column)} as state from ${sql(table)} where ${sql(key)} = ${id}`)[0];
  const made: string[] = [];
  for (const from of statuses) {
    for (const to of statuses) {
      const columns = { ...given.with?.(from), [column]: from };
      await sql`update ${sql(table)} set ${sql(columns as Record<string, null>)} where ${sql(key)} = ${id}`;
      const before = await read();
      await move(sql, id as never, to);
      const after = await read();
      if (after?.state !== from) made.push(`${from} → ${after?.state}`);
      else if (from !== to) expect(after, `${from} → ${to}`).toEqual(before);
    }
  }
  return made.sort();
}

describe('every function that writes a status makes exactly the listed moves of', () => {
  test.for(Object.entries(MACHINES))('%s', async ([, machine], { sql }) => {
    const id = await machine.seed(sql, await seedApp(sql));
    const allowed = listed(machine.kind).filter((move) => !machine.except?.includes(move));
    const expires = (move: string) => move.endsWith('→ EXPIRED');
    expect(await movesMade(sql, machine, id)).toEqual(allowed.filter((move) => !expires(move)));
    if (!allowed.some(expires)) return;
    // From the deadline on, every end is EXPIRED.
    await sql`update ${sql(machine.table)} set expires_at = business_now() where ${sql(machine.key)} = ${id}`;
    const ends = (await movesMade(sql, machine, id)).filter((move) => !/→ (AUTHORIZING|EXCHANGING)$/.test(move));
    expect(new Set(ends)).toEqual(new Set(allowed.filter(expires)));
  });

  test('a connection, of which only a connected one is suspended', async ({ sql }) => {
    const id = (await newConnection(sql, await seedApp(sql))) as ConnectionId;
    const move = () => inTransaction(sql, (tx) => suspendConnections(tx, [id]));
    const machine = { ...(MACHINES['a connection'] as Machine), move };
    expect(new Set(await movesMade(sql, machine, id))).toEqual(new Set(['CONNECTED → SUSPENDED']));
  });
});

test('the table in the code equals the one written by hand', () => {
  for (const kind of Object.keys(CAUSES) as Kind[])
    expect(listed(kind), kind).toEqual(Object.keys(CAUSES[kind]).toSorted());
});

test('the diagrams in the documentation show exactly these moves', async () => {
  await expect(diagrams()).toMatchFileSnapshot('../../docs/states.md');
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
    '`npx vitest run test/store/transitions.test.ts -u` writes this page.',
  ];
  return `${[head.join('\n'), ...parts].join('\n\n')}\n`;
}
