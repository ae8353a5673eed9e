import { endOfClause, type Mutation, type Token } from './sql-tokens.ts';

/** Mutations of clauses other than conditions: joins, limits, locks, conflicts. */
export const mutateClauses = (tokens: readonly Token[]): Mutation[] => [
  ...changeJoins(tokens),
  ...dropLimits(tokens),
  ...dropLocks(tokens),
  ...dropConflicts(tokens),
];

const replace = (kind: string, first: Token, last: Token, replacement: string): Mutation => ({
  kind,
  start: first.start,
  end: last.end,
  replacement,
});

/** Where the bracket that opens at `open` closes. */
const closeOf = (tokens: readonly Token[], open: number): number =>
  tokens.findIndex((token, at) => at > open && token.depth === tokens[open]?.depth);

/** A left join becomes an inner one (the reverse changes nothing beside a foreign key); `using` loses a column, or joins everything. */
function changeJoins(tokens: readonly Token[]): Mutation[] {
  return tokens.flatMap((token, at) => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (token.text === 'join') return before?.text === 'left' ? [replace('drop left', before, token, 'join')] : [];
    if (token.text !== 'using' || after?.text !== '(') return [];
    const close = closeOf(tokens, at + 1);
    const columns = tokens.slice(at + 2, close).filter(({ kind }) => kind === 'word');
    const last = tokens[close];
    if (last === undefined) return [];
    if (columns.length === 1) return [replace('drop condition', token, last, 'on true')];
    return columns.map((column) => {
      const others = columns.filter((other) => other !== column).map(({ text }) => text);
      return replace('drop condition', after, last, `(${others.join(', ')})`);
    });
  });
}

function dropLimits(tokens: readonly Token[]): Mutation[] {
  return tokens.flatMap((token, at) => {
    if (token.text !== 'limit' && token.text !== 'offset') return [];
    const last = tokens[endOfClause(tokens, at + 1, ({ text }) => /^(for|offset|limit|union|returning)$/.test(text)) - 1];
    return last === undefined || last === token ? [] : [replace(`drop ${token.text}`, token, last, '')];
  });
}

/** `for update skip locked` as nothing, and without `skip locked`. */
function dropLocks(tokens: readonly Token[]): Mutation[] {
  return tokens.flatMap((token, at) => {
    if (token.text !== 'for' || !/^(update|no|share|key)$/.test(tokens[at + 1]?.text ?? '')) return [];
    let end = at + 1;
    while (/^(update|no|share|key)$/.test(tokens[end + 1]?.text ?? '')) end += 1;
    if (tokens[end + 1]?.text === 'of') end += 2;
    const waits = /^(skip|nowait)$/.test(tokens[end + 1]?.text ?? '') ? tokens[end + 1] : undefined;
    if (waits) end += waits.text === 'skip' ? 2 : 1;
    const last = tokens[end] as Token;
    return [replace('drop lock', token, last, ''), ...(waits ? [replace('drop skip locked', waits, last, '')] : [])];
  });
}

/** An insert that fails at a conflict, and one that changes nothing then. */
function dropConflicts(tokens: readonly Token[]): Mutation[] {
  return tokens.flatMap((token, at) => {
    if (token.text !== 'on' || tokens[at + 1]?.text !== 'conflict') return [];
    const act = tokens.findIndex((other, index) => index > at && other.text === 'do' && other.depth === token.depth);
    const [first, what] = [tokens[act], tokens[act + 1]];
    if (first === undefined || what === undefined) return [];
    if (what.text === 'nothing') return [replace('drop conflict', token, what, '')];
    const end = tokens.findIndex(
      (other, index) =>
        index > act && (other.depth < token.depth || (other.depth === token.depth && other.text === 'returning')),
    );
    const last = tokens[(end < 0 ? tokens.length : end) - 1] as Token;
    return [replace('drop conflict', first, last, 'do nothing')];
  });
}
