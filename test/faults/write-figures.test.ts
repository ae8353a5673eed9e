import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { formatFigures, replaceFigures } from './write-figures.ts';

const FIGURES = {
  seed: 'one',
  ms: 90_000,
  parts: '2 apis, 3 workers',
  flows: 12,
  requests: 3_456,
  lost: 7,
  faults: { 'kill api': 3, 'kill worker': 4 },
  platformCalls: 8,
  events: 9,
  recoverySeconds: 12.34,
  objections: [
    { rule: 'posts', flow: 'flow-1', message: 'lost' },
    { rule: 'nothing left open', flow: 'flow-1', message: 'a job' },
    { rule: 'posts', flow: 'flow-2', message: 'stale' },
  ],
} as const;

test('the page states the figures of the last run, and only they change', () => {
  const page = readFileSync(path.join(ROOT, 'docs', 'reliability.md'), 'utf8');
  const written = replaceFigures(page, formatFigures(FIGURES, new Date('2030-01-02T00:00:00Z')));
  for (const row of [
    '| Run | 2030-01-02, seed `one`, 1.5 minutes of faults; 2 apis, 3 workers; ',
    '| Work | 12 flows, 3,456 requests answered, 7 answers lost on the way, 8 calls to platforms, 9 events delivered |',
    '| Faults | 7 of 2 kinds |',
    '| Settled after the last repair | 12.3 s |',
    '| Objections | posts 2, nothing left open 1 |',
  ]) {
    expect(written).toContain(row);
  }
  expect(formatFigures({ ...FIGURES, objections: [] })).toContain('| Objections | none |');
  expect(replaceFigures(written, 'X').split('<!--')[0]).toBe(page.split('<!--')[0]);
  expect(replaceFigures(written, 'X').split('-->').at(-1)).toBe(page.split('-->').at(-1));
});
