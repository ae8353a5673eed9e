import { expect, test } from 'vitest';
import { type Accepted, matchAccepted, nameMutant } from './accepted.ts';
import { mutantsOf } from './code-mutators.ts';

const placed = (source: string, file: string) => mutantsOf(source, file).map((mutant) => ({ ...mutant, file }));

test('an accepted mutant is found by its function, line and change; an entry without one is gone', () => {
  const source = 'const f = (a) => {\n  if (a < 1) return 2;\n};\nconst g = (a) => a < 1;';
  const mutants = placed(source, 'a.ts');
  const [first] = mutants.filter(({ kind }) => kind === 'flip operator');
  const entry = {
    file: 'a.ts',
    in: 'f',
    line: 'if (a < 1) return 2;',
    mutation: 'flip operator: < -> <=',
    reason: 'None.',
  };
  const { reason: _, ...name } = entry;
  expect(first && nameMutant(first, source)).toEqual(name);
  const gone: Accepted = { ...entry, in: 'h' };
  const matched = matchAccepted([entry, gone], mutants, () => source);
  expect([...matched.ids]).toEqual([first?.id]);
  expect(matched.gone).toEqual([gone]);
});

test('an entry may name one of several equal changes of a line', () => {
  const source = 'const f = (a) => a < 1 || a < 2;';
  const mutants = placed(source, 'a.ts');
  const [, second] = mutants.filter(({ kind, start }) => kind === 'flip operator' && source[start] === '<');
  const name = { file: 'a.ts', in: 'f', line: source, mutation: 'flip operator: < -> <=', reason: 'None.' };
  expect([...matchAccepted([{ ...name, occurrence: 2 }], mutants, () => source).ids]).toEqual([second?.id]);
  expect(matchAccepted([name], mutants, () => source).ids.size).toBe(2);
  const third = { ...name, occurrence: 3 };
  expect(matchAccepted([third], mutants, () => source).gone).toEqual([third]);
});
