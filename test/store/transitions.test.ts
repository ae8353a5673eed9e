import { expect } from 'vitest';
import { TRANSITIONS } from '../../src/store/transitions.ts';
import { test } from '../kit/postgres.ts';

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
