import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { fileName, type JournalLine } from '../../src/journal/files.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { createJournalKeeper } from '../../src/journal/keep.ts';
import { signLine } from '../../src/journal/sign-line.ts';
import type { Mac } from '../../src/vault/mac.ts';
import { createWorkerDeps } from '../kit/deps.ts';
import { journalLine, macOf, NEW_KEY, OLD_KEY, replayJournal, journalTest as test } from '../kit/journal.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

const ours = macOf(OLD_KEY);
const theirs = macOf(NEW_KEY);

/** Writes a file as an attacker with write access to the journal's place. */
const plant = async (folder: string, first: number, ...lines: readonly object[]) => {
  await mkdir(path.dirname(path.join(folder, fileName(first))), { recursive: true });
  await writeFile(path.join(folder, fileName(first)), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};
const change = async (folder: string, first: number, edit: (text: string) => string) => {
  const file = path.join(folder, fileName(first));
  await writeFile(file, edit(await readFile(file, 'utf8')));
};
const FOREIGN =
  /^The erasure journal is not as this service wrote it: \d+\/\d+\.jsonl has a line \d+ that no key of VAULT_MAC_KEYS has signed\./;

describe('a line of the erasure journal', () => {
  const attacks: readonly {
    name: string;
    refusal: RegExp;
    attack: (folder: string, victim: JournalLine) => Promise<void>;
  }[] = [
    {
      name: 'that somebody else added',
      refusal: FOREIGN,
      attack: (folder, victim) => plant(folder, 3, signLine(theirs, { ...victim, number: 3 })),
    },
    {
      name: 'that somebody else added in a folder far ahead',
      refusal: FOREIGN,
      attack: (folder, victim) => plant(folder, 987_654, signLine(theirs, { ...victim, number: 987_654 })),
    },
    {
      name: 'without a signature',
      refusal: /^The erasure journal is damaged: 0+\/003\.jsonl, line 1\./,
      attack: (folder, victim) => plant(folder, 3, { ...victim, number: 3 }),
    },
    {
      name: 'that was made to name another person',
      refusal: FOREIGN,
      attack: (folder, { id }) => change(folder, 2, (text) => text.replace(/"id":"[^"]+"/, `"id":"${id}"`)),
    },
    {
      name: 'that is a copy of an earlier one',
      refusal: FOREIGN,
      attack: async (folder) => {
        const first = await readFile(path.join(folder, fileName(1)), 'utf8');
        await writeFile(path.join(folder, fileName(3)), first.replace('"number":1', '"number":3'));
      },
    },
    {
      name: 'that was removed from the middle',
      refusal: /^The erasure journal lacks its line 1, but continues with line 2: restore the missing file/,
      attack: (folder) => rm(path.join(folder, fileName(1))),
    },
  ];
  test.for(attacks)(
    '$name is found at start and at a replay, which repeats nothing',
    async ({ attack, refusal }, { sql, journal: { folder } }) => {
      const seeded = await seedApp(sql);
      const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
      const journal = openJournal(folder, ours);
      await journal.append([journalLine(1)]);
      await journal.append([journalLine(2)]);
      await attack(folder, { ...journalLine(3), kind: 'CONNECTION', id: connectionId });
      await expect(createJournalKeeper(sql, journal).check()).rejects.toThrow(refusal);
      const deps = await createWorkerDeps(sql, { providers: {} as never });
      await expect(replayJournal(sql, deps, journal)).rejects.toThrow(refusal);
      const [bystander] = await sql`select status from connection where connection_id = ${connectionId}`;
      expect(bystander?.status).toBe('CONNECTED');
    },
  );

  test('fits as long as its key is configured, also behind a newer one', async ({ journal: { folder } }) => {
    const open = (mac: Mac) => openJournal(folder, mac);
    await open(ours).append([journalLine(1)]);
    const rotated = macOf(NEW_KEY, OLD_KEY);
    await open(rotated).append([journalLine(2)]);
    expect(await open(rotated).read(1)).toHaveLength(1);
    expect(await open(rotated).read(2)).toHaveLength(1);
    expect(await open(macOf(NEW_KEY)).read(2)).toHaveLength(1);
    await expect(open(macOf(NEW_KEY)).read(1)).rejects.toThrow(/Put a removed key back/);
  });
});
