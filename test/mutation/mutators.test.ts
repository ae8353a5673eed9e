// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the mutated sources hold templates.
import assert from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { applyMutation, embed, findUsers, mutantsOf, namesAt } from './code-mutators.ts';
import { listUsers } from './find-tests.ts';
import { functionsOf } from './functions.ts';
import { instrument } from './instrument.ts';
import { takeSample } from './main.ts';

/** The source after each mutation of these kinds; all kinds by default. */
const mutate = (source: string, kind = /./) =>
  mutantsOf(source, 'a.ts')
    .filter((mutant) => kind.test(mutant.kind))
    .map((mutant) => applyMutation(source, mutant).replace(/\s+/g, ' ').trim());

describe('mutators of code', () => {
  test('flip comparisons and logical operators', () => {
    expect(mutate('const x = a < b;')).toEqual(['const x = a <= b;']);
    expect(mutate('const x = a >= b;')).toEqual(['const x = a > b;']);
    expect(mutate('const x = a === b;')).toEqual(['const x = a !== b;']);
    expect(mutate('const x = a && b;')).toEqual(['const x = a || b;']);
    expect(mutate('const x = a ?? b;')).toEqual(['const x = a && b;']);
  });

  test('put parentheses around an operator that no other may stand beside', () => {
    expect(mutate('const x = a ?? b ?? c;')).toEqual(['const x = ((a ?? b) && (c));', 'const x = ((a) && (b)) ?? c;']);
  });

  test('negate a condition once', () => {
    expect(mutate('if (a) b = c;', /negate/)).toEqual(['if (!(a)) b = c;']);
    expect(mutate('const x = !a ? b : c;')).toEqual(['const x = a ? b : c;']);
    expect(mutate('const x = a === b ? c : d;')).toEqual(['const x = a !== b ? c : d;']);
  });

  test('drop statements, early returns and cases', () => {
    expect(mutate('function f() { if (!a) return b; return c; }', /drop return/)).toEqual([
      'function f() { if (!a) ; return c; }',
    ]);
    expect(mutate('if (!a) throw new Error("No a.");', /drop statement/)).toEqual(['if (!a) ;']);
    expect(mutate('await send(x);')).toEqual([';']);
    expect(mutate("switch (a) { case 'b': return c; default: return d; }", /drop case/)).toEqual([
      'switch (a) { default: return d; }',
    ]);
  });

  test('change numbers, codes and lengths of time', () => {
    expect(mutate('const LIMIT = 1_000;')).toEqual(['const LIMIT = 1001;']);
    expect(mutate('const WAIT_MS = 4_000;')).toEqual(['const WAIT_MS = 8000;']);
    expect(mutate("const code = 'NOT_FOUND';")).toEqual(["const code = 'MUTATED';"]);
    expect(mutate("const PATIENCE = '4 minutes';")).toEqual(["const PATIENCE = '8 minutes';"]);
    expect(mutate('const x = true;')).toEqual(['const x = false;']);
    expect(mutate('const all = list.some(isGood);')).toEqual(['const all = list.every(isGood);']);
  });

  test('skip methods that every object has', () => {
    expect(mutate('const text = at.toString();')).toEqual([]);
    expect(mutate('sql`select constructor from t`;', /flip/)).toEqual([]);
  });

  test('skip types, imports, sentences and log lines', () => {
    expect(mutate("type Status = 'LIVE' | 'DEAD';")).toEqual([]);
    expect(mutate("import { x } from 'Y_CODE';")).toEqual([]);
    expect(mutate("const text = 'No such connection.';")).toEqual([]);
    expect(mutate('deps.log.info("x", { tries: 1 });')).toEqual([]);
    expect(mutate("wf.setCurrentDetails('Waiting.');")).toEqual([]);
    expect(mutate("log.warn('Failed', { code: 'NOT_FOUND', tries: 1 });")).toEqual([]);
  });
});

test('instrumented code behaves the same and records the functions it reached', () => {
  const source = 'const twice = (x) => ({ y: x * 2 }).y; function never() { return 1; } return twice(21);';
  const reached = new Set();
  const run = new Function('globalThis', instrument(source, 'a.ts'));
  expect(run({ reached })).toBe(42);
  expect([...reached]).toEqual(functionsOf(source, 'a.ts').slice(0, 1));
});

test('instrumented code records which branches it reached, and keeps its results', () => {
  const source = `
    function f(x) {
      if (x > 9) return 'many'; else if (x > 8) { return 'nine'; }
      const y = x > 5 ? x - 5 : x || 7;
      for (const z of [y]) if (z === 1) throw new Error('one');
      switch (y) { case 2: { return 'two'; } case 3: if (x < 4) return 'three'; return 'eight'; default: }
      try { return x.a.b ?? (() => 'none')(); } catch { return [y && 'some']; }
    }
    return [10, 9, 0, 2, 3, 8, 4, { a: {} }].map(f);
  `;
  const reached = new Set<string>();
  const mutants = mutantsOf(source, 'a.ts');
  const run = (values: string) =>
    new Function('globalThis', instrument(source, 'a.ts').replace(/\[10, 9.*\]\.map/, `[${values}].map`))({ reached });
  expect(run('10, 9, 0, 2, 3, 8, 4, { a: {} }')).toEqual(new Function(source)());
  const branches = new Set(mutants.flatMap(({ branchId }) => branchId ?? []));
  expect([...branches].filter((id) => !reached.has(id))).toEqual(
    [...new Set(mutants.filter(({ line }) => line === 5).flatMap(({ branchId }) => branchId ?? []))].slice(-1),
  );
  reached.clear();
  run('10');
  const unreached = mutants.filter(({ functionId, branchId }) => functionId && branchId && !reached.has(branchId));
  expect(new Set(unreached.map(({ line }) => line))).toEqual(new Set([3, 4, 5, 6, 7]));
});

test('instrumented code records its functions to a file where it sees nothing but `assert` from outside', () => {
  const record = path.join(mkdtempSync(path.join(tmpdir(), 'mutation-')), 'record');
  onTestFinished(() => rmSync(path.dirname(record), { recursive: true }));
  vi.stubEnv('MUTATION_RECORD', record);
  const source = 'const twice = (x) => x * 2; twice(21);';
  expect(runInContext(instrument(source, 'a.ts'), createContext({ assert }))).toBe(42);
  const [id] = functionsOf(source, 'a.ts');
  expect(readFileSync(record, 'utf8')).toBe(`${JSON.stringify({ inWorkflow: id })}\n`);
});

describe('a source with its mutants built in', () => {
  const source = `
    const twice = (x) => ({ y: x * 2 }).y;
    function outer(x) {
      const inner = (y) => { if (y > 1) return y + 1; return 0; };
      return inner(x) === 0 ? twice(5) : inner(x);
    }
    return [outer(1), outer(2)];
  `;
  const mutants = mutantsOf(source, 'a.ts').filter(({ functionId }) => functionId !== undefined);
  const embedding = embed(source, 'a.ts', mutants);
  const run = (text: string, active = '') =>
    new Function('globalThis', text)({ isActiveMutant: (id: string) => id === active });

  test('behaves the same as long as none is active', () => {
    expect(embedding.ids).toHaveLength(mutants.length);
    expect(run(embedding.source)).toEqual([10, 3]);
  });

  test('behaves like the active mutant', () => {
    for (const mutant of mutants) {
      expect(run(embedding.source, mutant.id), mutant.kind).toEqual(run(applyMutation(source, mutant)));
    }
    expect(mutants.map(({ id }) => run(embedding.source, id)).filter(([a, b]) => a !== 10 || b !== 3)).not.toEqual([]);
  });

  test('leaves out mutants outside function bodies', () => {
    const text = 'const LIMIT = 1; function f(a = 2) { return a + LIMIT; }';
    const { ids, source: same } = embed(text, 'a.ts', mutantsOf(text, 'a.ts'));
    expect(ids).toEqual(
      mutantsOf(text, 'a.ts')
        .filter(({ kind }) => kind === 'flip operator')
        .map(({ id }) => id),
    );
    expect(run(`${same} return f(2);`)).toBe(3);
  });

  test('asks through `assert` which mutant is active where it sees nothing else from outside', () => {
    const active = path.join(mkdtempSync(path.join(tmpdir(), 'mutation-')), 'active');
    onTestFinished(() => rmSync(path.dirname(active), { recursive: true }));
    vi.stubEnv('MUTATION_ACTIVE', active);
    const text = 'const sum = (a, b) => a + b; sum(4, 2);';
    const all = mutantsOf(text, 'a.ts').filter(({ functionId }) => functionId !== undefined);
    const results = ['', ...all.map(({ id }) => id)].map((id) => {
      writeFileSync(active, id);
      return runInContext(embed(text, 'a.ts', all).source, createContext({ assert }));
    });
    expect(results).toEqual([6, 2]);
  });
});

test('a function keeps its id when its body changes, and no two share one', () => {
  const before = functionsOf(
    'const f = { g() { return 1; } }; function h() { return (() => 1)() + (() => 2)(); }',
    'a.ts',
  );
  const after = functionsOf(
    'const f = { g() { return 2; } }; function h() { return (() => 3)() + (() => 4)(); }',
    'a.ts',
  );
  expect(after).toEqual(before);
  expect(new Set([...before, ...functionsOf('function h() {}', 'b.ts')]).size).toBe(5);
});

test('the users of a constant are the functions that read it, or a value made from it', () => {
  const source = `
    const DAY = 24; const OTHER = 1;
    const SPAN = { most: 90 * DAY };
    const isShort = (ms) => ms <= SPAN.most;
    function never() { return OTHER; }
    const schema = check(isShort);
    function read() { return schema; }
  `;
  const constant = mutantsOf(source, 'a.ts').find(({ kind }) => kind === 'change constant');
  const names = namesAt(source, constant ?? { end: 0 });
  expect(names).toEqual(['DAY']);
  const users = findUsers(source, 'a.ts', new Set(names));
  const [isShort, never, read] = functionsOf(source, 'a.ts');
  expect(users.names).toEqual(['DAY', 'SPAN']);
  expect(users.functionIds).toEqual([isShort]);
  expect([never, read]).not.toContain(isShort);
  expect(
    findUsers('import { SPAN } from "./a.ts"; export const f = () => SPAN;', 'b.ts', new Set(users.names)),
  ).toEqual({
    functionIds: functionsOf('const f = () => SPAN;', 'b.ts'),
    names: ['DAY', 'SPAN'],
  });
});

test('the users of a constant are found through the constants that other modules make of it', () => {
  const modules: Readonly<Record<string, string>> = {
    'rules.ts': 'export const most = 168;',
    'inputs.ts': 'import * as rules from "./rules.ts"; export const Args = object(rules.most);',
    'resolver.ts': 'import * as inputs from "./inputs.ts"; const retire = () => inputs.Args; const other = () => 1;',
  };
  const tree = {
    read: (module: string) => modules[module] ?? '',
    importersOf: (module: string) => Object.keys(modules).filter((one) => modules[one]?.includes(`"./${module}"`)),
  };
  const [retire] = functionsOf(modules['resolver.ts'] ?? '', 'resolver.ts');
  expect(listUsers('rules.ts', ['most'], tree)).toEqual([retire]);
});

test('no two mutants share an id, also those of equal statements', () => {
  const source = 'function f() { if (a) b(); if (a) b(); }\nfunction g() { if (a) b(); }';
  const ids = ['a.ts', 'b.ts'].flatMap((file) => mutantsOf(source, file).map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(6);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a mutant keeps its id when another statement changes', () => {
  const statement = 'function f(a) { return a < 1; }';
  const ids = mutantsOf(statement, 'a.ts').map(({ id }) => id);
  expect(mutantsOf(`const x = y;\n${statement}`, 'a.ts').map(({ id }) => id)).toEqual(ids);
});

test('a sample depends on its seed and stays mostly the same when mutants are added', () => {
  const mutants = Array.from({ length: 100 }, (_, index) => ({ id: String(index) }));
  const sample = takeSample(mutants, 'a', 20);
  expect(sample).toHaveLength(20);
  expect(takeSample(mutants, 'b', 20)).not.toEqual(sample);
  const kept = takeSample([...mutants, { id: 'new' }], 'a', 20).filter((mutant) => sample.includes(mutant));
  expect(kept.length).toBeGreaterThanOrEqual(19);
});
