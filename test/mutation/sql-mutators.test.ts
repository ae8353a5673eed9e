// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the mutated sources hold templates.
import { describe, expect, test } from 'vitest';
import { applyMutation, mutantsOf } from './code-mutators.ts';

/** The source after each mutation of these kinds. */
const mutate = (source: string, kind: RegExp) =>
  mutantsOf(source, 'a.ts')
    .filter((mutant) => kind.test(mutant.kind))
    .map((mutant) => applyMutation(source, mutant).replace(/\s+/g, ' ').trim());

const mutateSql = (text: string, kind: string) =>
  mutate(`sql\`${text}\`;`, new RegExp(`^SQL: (?:${kind})$`)).map((source) =>
    source.slice(4, -2).replace(/\s+/g, ' ').trim(),
  );

describe('mutators of SQL', () => {
  test('find a statement also behind a tag that is made of `sql`', () => {
    const text = '`select a from b where c < d`;';
    const mutants = mutate(`listRows(sql, Part)${text}`, /^SQL/);
    expect(mutants).not.toEqual([]);
    expect(mutants).toEqual(mutate(`sql${text}`, /^SQL/).map((source) => source.replace('sql', 'listRows(sql, Part)')));
  });

  test('drop each condition of a conjunction', () => {
    expect(mutateSql('select a from t where b = 1 and c is null order by d', 'drop condition')).toEqual([
      'select a from t where c is null order by d',
      'select a from t where b = 1 order by d',
    ]);
    expect(mutateSql('select a from t where b between 1 and 2 and c', 'drop condition')).toEqual([
      'select a from t where c',
      'select a from t where b between 1 and 2',
    ]);
  });

  test('end a condition at its name, and at what it is selected from', () => {
    expect(mutateSql('select a and b is distinct from c as d from t where e', 'drop condition')).toEqual([
      'select a as d from t where e',
      'select a and b is distinct from c as d from t where true',
    ]);
  });

  test('distinguish a fragment from a call', () => {
    expect(mutateSql('and a = ${a} and b', 'drop condition')).toEqual(['and b', 'and a = ${a}']);
    expect(mutateSql('select 1 where now() > a and b', 'drop condition')).toEqual([
      'select 1 where b',
      'select 1 where now() > a',
    ]);
  });

  test('replace a single condition with true', () => {
    expect(mutateSql('delete from t where id = ${id} returning id', 'drop condition')).toEqual([
      'delete from t where true returning id',
    ]);
    expect(mutateSql('select 1 from a left join b on true', 'drop condition')).toEqual([]);
    expect(mutateSql('select case when a > 1 then 2 else 3 end', 'drop condition')).toEqual([
      'select case when true then 2 else 3 end',
    ]);
  });

  test('drop alternatives, within parentheses too', () => {
    expect(mutateSql('select 1 where (a or b) and c', 'drop condition').sort()).toEqual(
      ['select 1 where ( b) and c', 'select 1 where (a or b)', 'select 1 where (a ) and c', 'select 1 where c'].sort(),
    );
  });

  test('keep a fragment that follows a condition', () => {
    const text = 'select a from t where b and c <= ${now(sql)}\n ${fromPage(sql)}\n';
    expect(mutateSql(text, 'drop condition')).toEqual([
      'select a from t where c <= ${now(sql)} ${fromPage(sql)}',
      'select a from t where b ${fromPage(sql)}',
    ]);
  });

  test('flip comparisons, but not assignments', () => {
    expect(mutateSql('update t set a = 1 where b = ${b} and c <= now()', 'flip comparison')).toEqual([
      'update t set a = 1 where b <> ${b} and c <= now()',
      'update t set a = 1 where b = ${b} and c < now()',
    ]);
    expect(mutateSql('select 1 where a is null and b is not null', 'negate')).toEqual([
      'select 1 where a is not null and b is not null',
      'select 1 where a is null and b is null',
    ]);
    expect(mutateSql("select 1 where not exists (select 1) and a in ('B')", 'negate')).toEqual([
      "select 1 where exists (select 1) and a in ('B')",
      "select 1 where not exists (select 1) and a not in ('B')",
    ]);
  });

  test('drop an assignment; a single one keeps the value', () => {
    expect(mutateSql('update t set a = 1, b = coalesce(c, 2) where d', 'drop assignment')).toEqual([
      'update t set b = coalesce(c, 2) where d',
      'update t set a = 1 where d',
    ]);
    expect(mutateSql('update t set a = now() where d', 'drop assignment')).toEqual(['update t set a = a where d']);
    expect(mutateSql('insert into t values (1) on conflict (a) do update set b = 1, c = 2', 'drop assignment')).toEqual(
      [
        'insert into t values (1) on conflict (a) do update set c = 2',
        'insert into t values (1) on conflict (a) do update set b = 1',
      ],
    );
  });

  test('drop list elements, widen intervals, reverse orders', () => {
    expect(mutateSql("select 1 where a in ('B', 'C')", 'drop list element')).toEqual([
      "select 1 where a in ('C')",
      "select 1 where a in ('B')",
    ]);
    expect(mutateSql("select now() - interval '90 seconds'", 'widen interval')).toEqual([
      "select now() - interval '180 seconds'",
    ]);
    expect(mutateSql('select a from t order by b desc, c limit 1', 'reverse order')).toEqual([
      'select a from t order by b asc, c limit 1',
      'select a from t order by b desc, c desc limit 1',
    ]);
  });

  test('mutate code inside template expressions', () => {
    expect(mutate('sql`select ${a === b}`;', /^flip operator/)).toEqual(['sql`select ${a !== b}`;']);
  });

  test('join without each column, and only what has a partner', () => {
    expect(mutateSql('select from a join b using (x, y) left join c on c.z = a.z', 'drop left')).toEqual([
      'select from a join b using (x, y) join c on c.z = a.z',
    ]);
    expect(mutateSql('select from a join b using (x, y)', 'drop condition')).toEqual([
      'select from a join b using (y)',
      'select from a join b using (x)',
    ]);
    expect(mutateSql('select from a join b using (x) where y', 'drop condition')).toContain(
      'select from a join b on true where y',
    );
  });

  test('hide each selected and returned column', () => {
    expect(mutateSql('select a, t.b, max(c) as d, ${e(sql)}, 1 from t', 'hide column')).toEqual([
      'select null as a, t.b, max(c) as d, ${e(sql)}, 1 from t',
      'select a, null as b, max(c) as d, ${e(sql)}, 1 from t',
      'select a, t.b, null as d, ${e(sql)}, 1 from t',
    ]);
    expect(mutateSql('delete from t where a returning b', 'hide column')).toEqual([
      'delete from t where a returning null as b',
    ]);
  });

  test('leave each inserted value to its default', () => {
    expect(mutateSql('insert into t (a, b, c) values (${a}, f(b, 2), null)', 'drop value')).toEqual([
      'insert into t (a, b, c) values (default, f(b, 2), null)',
      'insert into t (a, b, c) values (${a}, default, null)',
    ]);
    expect(mutateSql('select a from (values (1), (2)) as v (a)', 'drop value')).toEqual([]);
  });

  test('drop limits and offsets, and take one row more', () => {
    expect(mutateSql('select a from t limit ${most} offset 0', '(drop|change) (limit|offset)')).toEqual([
      'select a from t offset 0',
      'select a from t limit (${most}) + 1 offset 0',
    ]);
    for (const few of ['1', '${MOST}']) {
      expect(mutateSql(`select a from t limit ${few} for update`, '(drop|change) limit')).toEqual([
        'select a from t for update',
      ]);
    }
  });

  test('keep the limit of a statement whose reader takes one row', () => {
    const text = '`select a from t where b in (select c from u limit 1) limit 1`;';
    expect(mutate(`findRow(sql, Row)${text}`, /drop limit/)).toEqual([
      'findRow(sql, Row)`select a from t where b in (select c from u ) limit 1`;',
    ]);
    expect(mutate(`listRows(sql, Row)${text}`, /drop limit/)).toHaveLength(2);
  });

  test('drop an order, each of its items, and a partition', () => {
    expect(mutateSql('select a from t order by b, c desc limit 1', 'drop order')).toEqual([
      'select a from t limit 1',
      'select a from t order by c desc limit 1',
      'select a from t order by b limit 1',
    ]);
    expect(mutateSql('select row_number() over (partition by a order by b) from t', 'drop (order|partition)')).toEqual([
      'select row_number() over ( order by b) from t',
      'select row_number() over (partition by a ) from t',
    ]);
    expect(mutateSql('insert into t select a from u order by a, b on conflict do nothing', 'drop order')).toEqual([
      'insert into t select a from u on conflict do nothing',
      'insert into t select a from u order by b on conflict do nothing',
      'insert into t select a from u order by a on conflict do nothing',
    ]);
  });

  test('drop locks, and what skips locked rows', () => {
    expect(mutateSql('select a from t for no key update skip locked', 'drop (lock|skip locked)')).toEqual([
      'select a from t',
      'select a from t for no key update',
    ]);
    expect(mutateSql('with l as (select from t for update of t) select', 'drop lock')).toEqual([
      'with l as (select from t ) select',
    ]);
  });

  test('fail at a conflict, or change nothing', () => {
    expect(mutateSql('insert into t values (1) on conflict (a) do nothing returning b', 'drop conflict')).toEqual([
      'insert into t values (1) returning b',
    ]);
    expect(
      mutateSql('insert into t values (1) on conflict (a) do update set b = 1, c = 2 returning b', 'drop conflict'),
    ).toEqual(['insert into t values (1) on conflict (a) do nothing returning b']);
  });

  test('change numbers, truths, sums, fallbacks, distinct and functions', () => {
    expect(mutateSql('select 1 from t where a > 5 limit 3', 'change constant')).toEqual([
      'select 1 from t where a > 6 limit 3',
    ]);
    expect(mutateSql('update t set a = true', 'change constant')).toEqual(['update t set a = false']);
    expect(mutateSql("select where a + 1 < -1 and j - 'k' = x", 'flip operator')).toEqual([
      "select where a - 1 < -1 and j - 'k' = x",
    ]);
    expect(mutateSql('select coalesce(a, b, 1)', 'drop fallback')).toEqual(['select (a)']);
    expect(mutateSql('select count(distinct a) where b = any(c)', 'drop distinct|swap function')).toEqual([
      'select count(distinct a) where b = all(c)',
    ]);
    expect(mutateSql('select distinct on (a, b) c from t', 'drop distinct')).toEqual(['select c from t']);
    expect(mutateSql('select distinct a from t', 'drop distinct')).toEqual(['select a from t']);
  });
});
