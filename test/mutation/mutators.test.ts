// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the mutated sources hold templates.
import { expect, test } from 'vitest';
import { applyMutation, mutantsOf } from './code-mutators.ts';
import { takeSample } from './main.ts';

const plain = (text: string) => text.replace(/\s+/g, ' ').replaceAll(' `', '`').replaceAll('` ', '`').trim();
/** The source after each mutation of these kinds. */
const mutate = (source: string, kind = /./) =>
  mutantsOf(source, 'a.ts')
    .filter((mutant) => kind.test(mutant.kind))
    .map((mutant) => plain(applyMutation(source, mutant)));

test.each<[string, ...string[]]>([
  ['const x = a < b;', 'const x = a <= b;'],
  ['const x = a && b;', 'const x = a || b;'],
  ['const x = a ?? b ?? c;', 'const x = ((a ?? b) && (c));', 'const x = ((a) && (b)) ?? c;'],
  ['const x = !a ? b : c;', 'const x = a ? b : c;'],
  ['const x = a === b ? c : d;', 'const x = a !== b ? c : d;'],
  ['await send(x);', ';'],
  ['const LIMIT = 1_000;', 'const LIMIT = 1001;'],
  ['const WAIT_MS = 4_000;', 'const WAIT_MS = 8000;'],
  ["const code = 'NOT_FOUND';", "const code = 'MUTATED';"],
  ["const PATIENCE = '4 minutes';", "const PATIENCE = '8 minutes';"],
  ['const all = list.some(isGood);', 'const all = list.every(isGood);'],
  ['const text = at.toString();'],
  ["type Status = 'LIVE' | 'DEAD';"],
  ["import { x } from 'Y_CODE';"],
  ["const text = 'No such connection.';"],
  ["log.warn('Failed', { code: 'NOT_FOUND', tries: 1 });"],
])('mutants of the code %s', (source, ...expected) => {
  expect(mutate(source)).toEqual(expected);
});

test.each<[string, string, ...string[]]>([
  ['drop condition', 'where b = 1 and c is null order by d', 'where c is null order by d', 'where b = 1 order by d'],
  ['drop condition', 'where b between 1 and 2 and c', 'where c', 'where b between 1 and 2'],
  ['drop condition', 'and a = ${a} and b', 'and b', 'and a = ${a}'],
  ['drop condition', 'delete from t where id = ${id} returning id', 'delete from t where true returning id'],
  ['drop condition', 'where b and c <= ${d}\n ${rest}', 'where c <= ${d} ${rest}', 'where b ${rest}'],
  ['drop condition', 'select from a join b using (x)', 'select from a join b on true'],
  ['flip comparison', 'update t set a = 1 where b <= ${b}', 'update t set a = 1 where b < ${b}'],
  [
    'negate',
    "where a is null and b in ('B')",
    "where a is not null and b in ('B')",
    "where a is null and b not in ('B')",
  ],
  ['drop assignment', 'update t set a = 1, b = 2 where d', 'update t set b = 2 where d', 'update t set a = 1 where d'],
  ['drop assignment', 'update t set a = now() where d', 'update t set a = a where d'],
  ['drop list element', "where a in ('B', 'C')", "where a in ('C')", "where a in ('B')"],
  ['widen interval', "select now() - interval '90 seconds'", "select now() - interval '180 seconds'"],
  [
    'reverse order',
    'select from t order by b desc, c',
    'select from t order by b asc, c',
    'select from t order by b desc, c desc',
  ],
  ['drop left', 'select from a left join c on c.z = a.z', 'select from a join c on c.z = a.z'],
  [
    'hide column',
    'select t.b, max(c) as d, 1 from t',
    'select null as b, max(c) as d, 1 from t',
    'select t.b, null as d, 1 from t',
  ],
  ['drop value', 'insert into t (a, c) values (${a}, null)', 'insert into t (a, c) values (default, null)'],
  ['(drop|change) limit', 'select a from t limit ${most}', 'select a from t', 'select a from t limit (${most}) + 1'],
  ['(drop|change) limit', 'select a from t limit 1 for update', 'select a from t for update'],
  ['drop partition', 'select max(a) over (partition by a order by b)', 'select max(a) over ( order by b)'],
  [
    'drop order',
    'select from t order by b, c',
    'select from t',
    'select from t order by c',
    'select from t order by b',
  ],
  ['drop (skip )?lock(ed)?', 'select from t for update skip locked', 'select from t', 'select from t for update'],
  [
    'drop conflict',
    'insert into t values (1) on conflict do nothing returning b',
    'insert into t values (1) returning b',
  ],
  ['change constant', 'select 1 from t where a > 5 limit 3', 'select 1 from t where a > 6 limit 3'],
  ['flip operator', "select where a + 1 < -1 and j - 'k' = x", "select where a - 1 < -1 and j - 'k' = x"],
  ['drop fallback', 'select coalesce(a, b, 1)', 'select (a)'],
  ['drop distinct', 'select distinct on (a, b) c from t', 'select c from t'],
  ['swap function', 'select where b = any(c)', 'select where b = all(c)'],
])('mutants of SQL, %s: %s', (kind, text, ...expected) => {
  const mutated = mutate(`listRows(sql, Row)\`${text}\`;`, new RegExp(`^SQL: (?:${kind})$`));
  expect(mutated).toEqual(expected.map((one) => plain(`listRows(sql, Row)\`${one}\`;`)));
});

test('a mutant has its own id, which lasts while its statement does', () => {
  const source = 'function f() { if (a) b(); if (a) b(); }';
  const ids = mutantsOf(source, 'a.ts').map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(mutantsOf(`const x = y;\n${source}`, 'a.ts').map(({ id }) => id)).toEqual(ids);
});

test('a sample stays mostly the same when mutants are added', () => {
  const mutants = Array.from({ length: 100 }, (_, index) => ({ id: String(index) }));
  const sample = takeSample(mutants, 'a', 20);
  expect(sample).toHaveLength(20);
  const kept = takeSample([...mutants, { id: 'new' }], 'a', 20).filter((mutant) => sample.includes(mutant));
  expect(kept.length).toBeGreaterThanOrEqual(19);
});
