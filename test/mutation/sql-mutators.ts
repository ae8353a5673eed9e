/** One change of a text: `[start, end)` becomes `replacement`. */
export interface Mutation {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** `[start, end)` of a `${…}` in a template. */
export type Hole = readonly [start: number, end: number];

/** A Postgres interval with one unit. */
export const DURATION = /^(\d+) ((?:second|minute|hour|day|week|month|year)s?)$/;

/** Stands for a character of a hole. */
const HOLE = '\uE000';
/** What begins a condition, and the value of one that is left out. */
const CONDITION = /\b(where|and|or|having|when|on(?! conflict))\s+(?=\S)/g;
/** What ends a condition or an assignment on its level. */
const END =
  /^(?:and|or|order|group|having|limit|returning|for|union|on|join|left|cross|then|when|else|end|where|from|do|window)\b/;
const FLIPS: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '=': '<>', '<>': '=' };

/** Changes of whole phrases, by what they look for. */
const PHRASES: readonly (readonly [kind: string, pattern: RegExp, replacement: string])[] = [
  ['drop lock', /\bfor (?:no key update|key share|update|share)(?: of \w+)?(?: skip locked| nowait)?/g, ''],
  ['drop skip locked', / skip locked\b/g, ''],
  ['drop limit', /\blimit (?:\d+|\uE000+)/g, ''],
  ['drop left', /\bleft join\b/g, 'join'],
  ['drop conflict', /\bon conflict[^;]*?\bdo nothing\b/g, ''],
];

/** All mutations of one SQL text, as `sql` templates hold them. */
export function mutateSql(sql: string, holes: readonly Hole[]): Mutation[] {
  let text = sql.replaceAll(/--[^\n]*/g, (comment) => ' '.repeat(comment.length));
  for (const [start, end] of holes) text = text.slice(0, start) + HOLE.repeat(end - start) + text.slice(end);
  const all = [
    ...PHRASES.flatMap(([kind, pattern, replacement]) => findAll(text, pattern, kind, () => replacement)),
    ...findAll(text, /'\d+ \w+'/g, 'widen interval', (quoted) => {
      const [, count, unit] = DURATION.exec(quoted.slice(1, -1)) ?? [];
      return count === undefined ? quoted : `'${Number(count) * 2} ${unit}'`;
    }),
    ...changeConditions(text),
    ...dropAssignments(text),
  ];
  // A condition within another one is found twice.
  const one = new Map(all.map((mutation) => [JSON.stringify({ ...mutation, kind: '' }), mutation]));
  return [...one.values()].filter(({ start, end, replacement }) => text.slice(start, end) !== replacement);
}

const findAll = (text: string, pattern: RegExp, kind: string, change: (found: string) => string): Mutation[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => {
    return { kind, start: index, end: index + found.length, replacement: change(found) };
  });

/** Where the term that begins at `from` ends: with its brackets and strings, before the next word of `END`. */
function endOfTerm(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const isWordStart = at > from && !/\w/.test(text[at - 1] ?? '');
    if (depth === 0 && (/[,;)\]]/.test(text[at] ?? '') || (isWordStart && END.test(text.slice(at))))) return at;
    if (text[at] === "'") at = text.indexOf("'", at + 1);
    else if (/[([]/.test(text[at] ?? '')) depth += 1;
    else if (/[)\]]/.test(text[at] ?? '')) depth -= 1;
    if (at < from) break; // A string without an end.
  }
  return text.length;
}

/** Each condition is left out, negated or, if it compares, shifted. */
function changeConditions(text: string): Mutation[] {
  return [...text.matchAll(CONDITION)].flatMap(({ 0: found, 1: word, index }) => {
    if (word === 'and' && /\bbetween [^()]*$/.test(text.slice(Math.max(0, index - 80), index))) return [];
    const start = index + found.length;
    const end = endOfTerm(text, start);
    const term = text.slice(start, end).trimEnd();
    const inTerm = (mutations: readonly Mutation[]) =>
      mutations.map((one) => ({ ...one, start: start + one.start, end: start + one.end }));
    return [
      { kind: 'drop condition', start, end: start + term.length, replacement: word === 'or' ? 'false' : 'true' },
      ...inTerm(
        findAll(term, /(?<![-<>:=@|])(?:<>|<=|>=|[<>=])(?![>@])/g, 'flip comparison', (sign) => FLIPS[sign] ?? sign),
      ),
      ...inTerm(
        findAll(term, /^(?:not )?exists\b/g, 'negate', (word) => (word === 'exists' ? 'not exists' : 'exists')),
      ),
      ...inTerm(
        findAll(term, /\bis (?:not )?null\b/g, 'negate', (is) => (is === 'is null' ? 'is not null' : 'is null')),
      ),
    ];
  });
}

/** `set a = 1, b = 2` without one of them. */
function dropAssignments(text: string): Mutation[] {
  return [...text.matchAll(/\bset\s+(?=\w+ = )/g)].flatMap(({ 0: found, index }) => {
    const items: [start: number, end: number][] = [];
    for (let from = index + found.length; /^\s*\w+ = /.test(text.slice(from)); ) {
      const end = endOfTerm(text, from);
      items.push([from, end]);
      if (text[end] !== ',') break;
      from = end + 1;
    }
    if (items.length < 2) return [];
    return items.map(([start, end], at) => {
      const [from, to] = at === 0 ? [start, end + 1] : [start - 1, end];
      return { kind: 'drop assignment', start: from, end: to, replacement: ' ' };
    });
  });
}
