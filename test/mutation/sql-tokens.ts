/** One change of a text: `[start, end)` becomes `replacement`. */
export interface Mutation {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** `[start, end)` of a `${…}` in a template. */
export type Hole = readonly [start: number, end: number];

/** A word, string, hole or sign of a statement, in lower case. */
export interface Token {
  readonly text: string;
  readonly kind: 'word' | 'string' | 'hole' | 'other';
  readonly start: number;
  readonly end: number;
  /** The number of open parentheses, brackets and CASEs around it. */
  readonly depth: number;
  readonly startsLine: boolean;
}

const TOKEN =
  /'(?:[^']|'')*'|--[^\n]*|\uE000+|\uE001+|[A-Za-z_]\w*|\d+(?:\.\d+)?|<>|<=|>=|!=|=>|::|\|\||@>|<@|&&|->>?|\S/g;

/** Reads SQL with template expressions (holes). A hole counts as an operand; comments are skipped. */
export function tokenize(sql: string, holes: readonly Hole[]): Token[] {
  let masked = sql;
  for (const [index, [start, end]] of holes.entries()) {
    masked = masked.slice(0, start) + (index % 2 ? '\uE000' : '\uE001').repeat(end - start) + masked.slice(end);
  }
  const tokens: Token[] = [];
  let depth = 0;
  for (const match of masked.matchAll(TOKEN)) {
    const text = match[0].toLowerCase();
    if (text.startsWith('--')) continue;
    if (text === ')' || text === ']' || text === 'end') depth -= 1;
    const start = match.index;
    tokens.push({
      text,
      kind: kindOf(text),
      start,
      end: start + text.length,
      depth,
      startsLine: /(^|\n)\s*$/.test(masked.slice(0, start)),
    });
    if (text === '(' || text === '[' || text === 'case') depth += 1;
  }
  return tokens;
}

function kindOf(text: string): Token['kind'] {
  if (/^\w/.test(text)) return 'word';
  if (text.startsWith("'")) return 'string';
  return /^[\uE000\uE001]/.test(text) ? 'hole' : 'other';
}

export const STATEMENT = /^(select|insert|update|delete|with|values)$/;
const CLAUSES = new Set(
  (
    'and or where on having when then else group order limit offset returning union except intersect for window do ' +
    'join left right inner cross full as from'
  ).split(' '),
);

/** The end of the clause that begins at `from`: the next clause or comma on its level, or the enclosing bracket. */
export function endOfClause(
  tokens: readonly Token[],
  from: number,
  isEnd = (token: Token) => CLAUSES.has(token.text),
): number {
  const depth = tokens[from]?.depth ?? 0;
  let between = false;
  let at = from;
  for (; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (token.depth < depth) break;
    if (token.depth > depth) continue;
    if (token.text === ')' || token.text === ']' || token.text === 'end') continue;
    if (token.text === ';' || token.text === ',') break;
    if (at > from && token.kind === 'hole' && token.startsLine && isOperand(tokens[at - 1])) break; // A separate fragment.
    if (token.text === 'between') between = true;
    else if (token.text === 'and' && between) between = false;
    else if (token.text === 'from' && tokens[at - 1]?.text === 'distinct') continue;
    else if (isEnd(token) && (tokens[at + 1]?.text !== '(' || token.text === 'from')) break;
    else if ((token.text === 'and' || token.text === 'or') && isEnd(token)) break;
  }
  return at;
}

const isOperand = (token: Token | undefined) =>
  token !== undefined &&
  (token.kind !== 'other' || token.text === ')' || token.text === ']') &&
  !CLAUSES.has(token.text);
