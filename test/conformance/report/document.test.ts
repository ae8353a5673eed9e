import { describe, expect, test } from 'vitest';
import { compare, writeDocument } from './document.ts';

const RULES = { '2 first': 'The first.', '8 second': 'The second | with a bar.' };
const passing = (name: string) => ({ name, file: 'a.test.ts', passed: true });

describe('rules and their tests', () => {
  test('match, also if one test proves two rules', () => {
    const { proofs, faults } = compare(RULES, [passing('2 first + 8 second: both: hold')]);
    expect(faults).toEqual([]);
    expect(proofs.get('8 second')).toEqual([{ file: 'a.test.ts', guarantee: 'both: hold', passed: true }]);
  });

  test('do not match if a rule has no test, or a test no rule', () => {
    expect(compare(RULES, [passing('2 first: holds')]).faults).toEqual(['"8 second" has no test']);
    const { faults } = compare(RULES, [passing('2 first + 8 second: hold'), passing('3 third: holds')]);
    expect(faults).toEqual(['"3 third: holds" names no rule: "3 third"']);
  });

  test('appear in the document, held only if every test of a rule passed', () => {
    const tests = [passing('2 first + 8 second: hold'), { ...passing('8 second: to the edge'), passed: false }];
    const document = writeDocument(RULES, compare(RULES, tests).proofs);
    expect(document).toContain('2 rules: 1 held, 1 not.');
    expect(document).toContain('| 2 first | The first. | `a.test.ts`: hold | held |');
    expect(document).toContain(
      '| 8 second | The second \\| with a bar. | `a.test.ts`: hold<br>`a.test.ts`: to the edge | **not held** |',
    );
  });
});
