import { expect, test } from 'vitest';
import type { Log } from '../../src/basics/log.ts';
import { inOrderOfRepetition } from '../../src/domain/disconnecting/repeat-erasure.ts';
import { type RepeatLostLinesDeps, repeatLostLines } from '../../src/domain/disconnecting/repeat-lost-lines.ts';
import type { JournalLine } from '../../src/journal/files.ts';

const SEEN_AT = new Date('2026-03-01T12:00:00.000Z');
const lineOf = (kind: JournalLine['kind'], number: number, at = SEEN_AT): JournalLine =>
  ({ kind, id: `${number}`, number, at: at.toISOString() }) as JournalLine;

test('connections are repeated first and subjects last, all others in their order', () => {
  const kinds = ['SUBJECT', 'GRANT', 'CONNECTION', 'APP_KEY', 'SUBJECT', 'GRANT', 'KEPT_TOKENS', 'CONNECTION'] as const;
  const ordered = inOrderOfRepetition(kinds.map((kind, number) => lineOf(kind, number)));
  expect(ordered.map(({ number }) => number)).toEqual([2, 7, 1, 3, 5, 6, 0, 4]);
});

/** A fail-over that has lost these lines, of which another process has repeated all meanwhile. */
async function repeat(lines: readonly JournalLine[]): Promise<unknown[]> {
  const logged: unknown[] = [];
  const deps = {
    journal: { listMissing: async () => lines, repeatMissing: async () => undefined },
    log: { warn: (_message: string, fields: unknown) => logged.push(fields) } as unknown as Log,
  };
  await repeatLostLines(deps as unknown as RepeatLostLinesDeps, SEEN_AT);
  return logged;
}

test.each([
  [1, 600_000, true],
  [1, 600_001, false],
  [1_000, 0, true],
  [1_001, 0, false],
])('%i lines, %i ms older than the latest one seen: repeated %s', async (count, ageMs, isRepeated) => {
  const at = new Date(SEEN_AT.getTime() - ageMs);
  const repeated = repeat(Array.from({ length: count }, (_, number) => lineOf('GRANT', number, at)));
  if (isRepeated) expect(await repeated).toEqual([{ count: 0 }]);
  else await expect(repeated).rejects.toThrow('The database lacks more than a fail-over loses');
});
