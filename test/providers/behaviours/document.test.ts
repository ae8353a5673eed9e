import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Behaviours, because, findFaults, provingFiles, writeBehaviours } from './document.ts';
import { BEHAVIOURS as OF_PROVIDERS } from './index.ts';

const BEHAVIOURS: Behaviours = {
  byProvider: {
    Grants: [
      [
        'Refresh',
        {
          PROVIDER_A: ['a/oauth > refresh > works'],
          PROVIDER_B: ['b/oauth > refresh > …', 'shared > once'],
          PROVIDER_C: because('it | has none.'),
        },
      ],
    ],
  },
  shared: { Races: [['One refresh for many', ['shared > once']]] },
};
const passing = (...names: string[]) => names.map((name) => ({ name, passed: true }));
const ALL = passing('a/oauth > refresh > works', 'b/oauth > refresh > 1', 'b/oauth > refresh > 2', 'shared > once');

describe('behaviours and their tests', () => {
  test('name the files that must have run', () => {
    expect(provingFiles(BEHAVIOURS)).toEqual(['a/oauth', 'b/oauth', 'shared']);
  });

  test('fail if no test with that name or beginning has run', () => {
    expect(findFaults(BEHAVIOURS, ALL)).toEqual([]);
    expect(findFaults(BEHAVIOURS, passing('a/oauth > refresh > works again', 'shared > once'))).toEqual([
      'there is no test "a/oauth > refresh > works"',
      'there is no test "b/oauth > refresh > …"',
    ]);
  });

  test('appear in the document, held only if every test of a behaviour passed', () => {
    const failing = ALL.map((one) => (one.name.endsWith('2') ? { ...one, passed: false } : one));
    const document = writeBehaviours(BEHAVIOURS, failing);
    expect(document).toContain('| Behaviour | PROVIDER_A | PROVIDER_B | PROVIDER_C |');
    expect(document).toContain(
      '| Refresh | **held**<br>`a/oauth`: refresh > works ' +
        '| **not held**<br>`b/oauth`: refresh > …<br>`shared`: once | not applicable: it \\| has none. |',
    );
    expect(document).toContain('| One refresh for many | **held**<br>`shared`: once |');
  });

  test('are in existing files, also in a partial run', () => {
    const missing = provingFiles(OF_PROVIDERS).filter(
      (name) => !existsSync(new URL(`../../${name}.test.ts`, import.meta.url)),
    );
    expect(missing).toEqual([]);
  });
});
