import { expect, test } from 'vitest';
import { openTogether } from '../../src/basics/closings.ts';
import { createLog } from '../../src/basics/log.ts';

const log = createLog('silent');

/** A part that notes its end, and fails at it if its name is `broken`. */
const part = (ended: string[], name: string) => ({
  close: async () => {
    ended.push(name);
    if (name === 'broken') throw new Error('The part cannot be closed.');
  },
});

test('closes the last part first, also after one that cannot be closed, and each once', async () => {
  const ended: string[] = [];
  const opened = await openTogether(log, async (closings) => {
    for (const name of ['first', 'broken', 'last']) closings.add(part(ended, name));
    return { port: 1 };
  });
  expect([opened.port, ended]).toEqual([1, []]);
  await opened.close();
  await opened.close();
  expect(ended).toEqual(['last', 'broken', 'first']);
});

test('closes what is open if a later part cannot be opened', async () => {
  const ended: string[] = [];
  const opening = openTogether(log, async (closings) => {
    closings.add(part(ended, 'first'));
    closings.add(part(ended, 'broken'));
    await Promise.reject(new Error('The last part cannot be opened.'));
    return {};
  });
  await expect(opening).rejects.toThrow('The last part cannot be opened.');
  expect(ended).toEqual(['broken', 'first']);
});
