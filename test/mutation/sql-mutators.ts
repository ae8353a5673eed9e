import { mutateClauses } from './sql-clauses.ts';
import { endOfClause, type Hole, type Mutation, STATEMENT, type Token, tokenize } from './sql-tokens.ts';

/** All mutations of one SQL text, as `sql` templates hold them. */
export function mutateSql(sql: string, holes: readonly Hole[]): Mutation[] {
  const tokens = tokenize(sql, holes);
  const assignments = findAssignments(tokens);
  return [
    ...dropConditions(tokens),
    ...flipOperators(tokens, new Set(assignments.map(({ operator }) => operator))),
    ...dropAssignments(assignments),
    ...widenIntervals(tokens, sql),
    ...mutateClauses(tokens),
  ].filter(({ start, end, replacement }) => sql.slice(start, end) !== replacement);
}

/** `where a and b` without `a`, and without `b`; a single condition becomes `true`. */
function dropConditions(tokens: readonly Token[]): Mutation[] {
  const mutations: Mutation[] = [];
  const isBetween = new Set<number>();
  for (const [index, token] of tokens.entries()) {
    if (token.text !== 'between') continue;
    const and = tokens.findIndex((other, at) => at > index && other.text === 'and' && other.depth === token.depth);
    isBetween.add(and);
  }
  const isJoin = (text: string | undefined) => text === 'and' || text === 'or';
  const drop = (first: number, last: number) => {
    const [from, to] = [tokens[first], tokens[last]];
    if (from && to) mutations.push({ kind: 'drop condition', start: from.start, end: to.end, replacement: '' });
  };
  for (let at = -1; at < tokens.length; at += 1) {
    const starter = tokens[at]?.text ?? '';
    const term = tokens[at + 1];
    if (!term || isBetween.has(at) || term.text === ')' || isJoin(term.text)) continue;
    const end = endOfClause(tokens, at + 1);
    const next = tokens[end];
    if (isJoin(starter)) drop(at, end - 1);
    else if (
      next &&
      isJoin(next.text) &&
      next.depth === term.depth &&
      (at < 0 ? !STATEMENT.test(term.text) : /^(\(|where|on|having|when)$/.test(starter))
    ) {
      drop(at + 1, end);
    } else if (/^(where|on|having|when)$/.test(starter) && term.text !== 'conflict') {
      const last = tokens[end - 1] as Token;
      mutations.push({ kind: 'drop condition', start: term.start, end: last.end, replacement: 'true' });
    }
  }
  return mutations;
}

const FLIPS = new Map(
  Object.entries({
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '=': '<>',
    '<>': '=',
    greatest: 'least',
    least: 'greatest',
  }),
);

function flipOperators(tokens: readonly Token[], assigning: ReadonlySet<Token>): Mutation[] {
  const mutations: Mutation[] = [];
  for (const [at, token] of tokens.entries()) {
    const [before, after] = [tokens[at - 1]?.text, tokens[at + 1]?.text];
    const replace = (replacement: string, kind = 'flip comparison', end = token.end) =>
      mutations.push({ kind, start: token.start, end, replacement });
    const flipped = FLIPS.get(token.text);
    if (flipped !== undefined && !assigning.has(token)) replace(flipped);
    const isNegatable = (token.text === 'in' && after === '(') || (token.text === 'exists' && before !== 'if');
    if (isNegatable && before !== 'not') replace(`not ${token.text}`, 'negate');
    if (token.text === 'is' && (after === 'null' || after === 'distinct')) replace('is not', 'negate');
    if (token.text !== 'not') continue;
    if (before === 'is') replace('', 'negate');
    else if (before !== 'if' && !/^(null|materialized|matched|valid|deferrable)$/.test(after ?? ''))
      replace('', 'negate');
  }
  return mutations;
}

interface Assignment {
  readonly first: Token;
  readonly last: Token;
  readonly operator: Token;
  readonly comma: Token | undefined;
  readonly isOnly: boolean;
  readonly isUpsert: boolean;
}

function findAssignments(tokens: readonly Token[]): Assignment[] {
  const found: Assignment[] = [];
  const isEnd = ({ text }: Token) => /^(where|from|returning)$/.test(text);
  for (const [at, token] of tokens.entries()) {
    if (token.text !== 'set') continue;
    const list: Omit<Assignment, 'isOnly' | 'isUpsert'>[] = [];
    for (let from = at + 1, comma: Token | undefined; from < tokens.length; ) {
      const end = endOfClause(tokens, from, isEnd);
      const [first, operator, last] = [tokens[from], tokens[from + 1], tokens[end - 1]];
      if (!first || !last || operator?.text !== '=') break;
      const next = tokens[end];
      list.push({ first, last, operator, comma: comma ?? (next?.text === ',' ? next : undefined) });
      if (next?.text !== ',' || next.depth !== first.depth) break;
      comma = next;
      from = end + 1;
    }
    const isUpsert = tokens[at - 1]?.text === 'update';
    found.push(...list.map((assignment) => ({ ...assignment, isOnly: list.length === 1, isUpsert })));
  }
  return found;
}

/** `set a = 1, b = 2` without one of them; a single column keeps its value. */
function dropAssignments(assignments: readonly Assignment[]): Mutation[] {
  return assignments.flatMap(({ first, last, operator, comma, isOnly, isUpsert }) => {
    const kind = 'drop assignment';
    if (isOnly) {
      const keep = { kind, start: operator.end, end: last.end, replacement: ` ${first.text}` };
      return isUpsert || first.kind !== 'word' ? [] : [keep];
    }
    if (!comma) return [];
    const [start, end] = comma.start < first.start ? [comma.start, last.end] : [first.start, comma.end];
    return [{ kind, start, end, replacement: '' }];
  });
}

/** A Postgres interval with one unit. */
export const DURATION = /^(\d+) ((?:second|minute|hour|day|week|month|year)s?)$/;

function widenIntervals(tokens: readonly Token[], sql: string): Mutation[] {
  return tokens.flatMap((token) => {
    if (token.kind !== 'string') return [];
    const [, count, unit] = DURATION.exec(sql.slice(token.start + 1, token.end - 1)) ?? [];
    if (count === undefined) return [];
    const replacement = `'${Number(count) * 2} ${unit}'`;
    return [{ kind: 'widen interval', start: token.start, end: token.end, replacement }];
  });
}
