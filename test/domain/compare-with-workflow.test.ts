import { expect, test } from 'vitest';
import { findDisagreement, type WorkInRow } from '../../src/domain/work-state/compare-with-workflow.ts';

const NOW = new Date('2026-01-01T00:30:00Z');
const OPEN: WorkInRow = {
  open: true,
  beganAt: new Date('2026-01-01T00:00:00Z'),
  finishedAt: null,
  nextRetryAt: new Date('2026-01-01T01:00:00Z'),
  sharesWorkflow: false,
};
const ended = { ...OPEN, open: false, nextRetryAt: null };
const old = { ...ended, finishedAt: new Date('2026-01-01T00:28:00Z') };
const fresh = { ...ended, finishedAt: new Date('2026-01-01T00:29:30Z') };
const waitingUntil = (at: string) =>
  ({ state: 'RUNNING', progress: { waitingFor: 'NEXT_TRY', waitingUntil: at } }) as const;

test.each([
  ['both open', OPEN, { state: 'RUNNING' }, null],
  ['the same next try', OPEN, waitingUntil('2026-01-01T01:00:00.400Z'), null],
  ['a next try a second later', OPEN, waitingUntil('2026-01-01T01:00:01.000Z'), null],
  [
    'a next try more than a second later',
    OPEN,
    waitingUntil('2026-01-01T01:00:01.001Z'),
    /until 2026-01-01T01:00:01\.001Z/,
  ],
  ['not known', OPEN, { state: 'NOT_KNOWN' }, null],
  ['missing after a minute', OPEN, { state: 'MISSING' }, /Temporal has no such workflow/],
  ['missing for exactly a minute', { ...OPEN, beganAt: new Date('2026-01-01T00:29:00Z') }, { state: 'MISSING' }, null],
  ['an attempt that nobody has answered', { ...OPEN, beganAt: null }, { state: 'MISSING' }, null],
  ['closed', OPEN, { state: 'CLOSED' }, /its workflow has closed/],
  ['both ended', old, { state: 'CLOSED' }, null],
  ['an ended row', old, { state: 'RUNNING' }, /its workflow still runs/],
  ['a row that has just ended', fresh, { state: 'RUNNING' }, null],
  ['an ended revoke before its erase', { ...old, sharesWorkflow: true }, { state: 'RUNNING' }, null],
] as const)('a row and its workflow: %s', (_name, row, workflow, expected) => {
  const found = findDisagreement(row, workflow, NOW);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatch(expected);
});
