import { endOfClause, type Mutation, type Token } from './sql-tokens.ts';

/** Mutations of clauses other than conditions: joins, columns, values, limits, orders, locks, conflicts, constants. */
export function mutateClauses(tokens: readonly Token[], sql: string): Mutation[] {
  return [
    ...changeJoins(tokens),
    ...changeLists(tokens),
    ...changeLimits(tokens, sql),
    ...dropOrders(tokens),
    ...dropLocks(tokens),
    ...dropConflicts(tokens),
    ...changeConstants(tokens, sql),
  ];
}

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

interface Item {
  readonly tokens: readonly Token[];
  readonly first: Token;
  readonly last: Token;
}

/** The items of a list from `from` up to the end of its clause. */
function itemsFrom(tokens: readonly Token[], from: number, isEnd: (token: Token) => boolean): Item[] {
  const items: Item[] = [];
  for (let at = from; at < tokens.length; ) {
    const end = endOfClause(tokens, at, isEnd);
    const item = tokens.slice(at, end);
    const [first, last] = [item[0], item.at(-1)];
    if (first && last) items.push({ tokens: item, first, last });
    if (tokens[end]?.text !== ',' || tokens[end]?.depth !== tokens[from]?.depth || end < at) break;
    at = end + 1;
  }
  return items;
}

const isEndOfList = ({ text }: Token) =>
  /^(from|where|union|except|intersect|order|group|limit|returning|on|for|having|into)$/.test(text);

/** Selected and returned columns are null, inserted values their default. */
function changeLists(tokens: readonly Token[]): Mutation[] {
  return tokens.flatMap((token, at) => {
    if (token.text === 'select' || token.text === 'returning') {
      const skipped = /^(distinct|all)$/.test(tokens[at + 1]?.text ?? '') ? 2 : 1;
      const items = itemsFrom(tokens, at + skipped, isEndOfList);
      return [
        ...(skipped === 2 ? dropDistinct(tokens, at + 1) : []),
        ...(skipped === 2 && tokens[at + 2]?.text === 'on' ? [] : items.flatMap(hideColumn)),
      ];
    }
    if (token.text !== 'values' || tokens[at + 1]?.text !== '(' || !isInsert(tokens, at)) return [];
    const values = itemsFrom(tokens.slice(0, closeOf(tokens, at + 1)), at + 2, () => false);
    return values
      .filter(({ tokens: [only], first, last }) => first !== last || !/^(null|default)$/.test(only?.text ?? ''))
      .map(({ first, last }) => replace('drop value', first, last, 'default'));
  });
}

const dropDistinct = (tokens: readonly Token[], at: number): Mutation[] => {
  const [distinct, next] = [tokens[at], tokens[at + 1]];
  if (distinct?.text !== 'distinct') return [];
  const last = next?.text === 'on' ? tokens[closeOf(tokens, at + 2)] : distinct;
  return last ? [replace('drop distinct', distinct, last, '')] : [];
};

/** Whether the values that begin here are those of an insert: its table and columns stand before them. */
function isInsert(tokens: readonly Token[], values: number): boolean {
  const depth = tokens[values]?.depth ?? 0;
  for (let at = values - 1; at >= 0; at -= 1) {
    const token = tokens[at] as Token;
    if (token.depth < depth) return false;
    if (token.depth === depth && token.text === 'into') return true;
    if (token.depth === depth && /^(select|from|join|in|as)$/.test(token.text)) return false;
  }
  return false;
}

/** A column with a name becomes null under the same name. */
function hideColumn({ tokens, first, last }: Item): Mutation[] {
  const [as, name] = tokens.slice(-2);
  const kind = 'hide column';
  if (tokens.length > 2 && as?.text === 'as' && as.depth === first.depth && name) {
    const value = tokens.at(-3) as Token;
    return first.text === 'null' ? [] : [{ kind, start: first.start, end: value.end, replacement: 'null' }];
  }
  if (last.kind !== 'word' || first.kind !== 'word' || last.text === 'null') return [];
  const isPlain = tokens.length === 1 || (tokens.length === 3 && tokens[1]?.text === '.');
  return isPlain && !/^(\d|true$|false$|end$)/.test(last.text)
    ? [replace(kind, first, last, `null as ${last.text}`)]
    : [];
}

/** No limit, and one row more where the limit is neither one nor a constant: no test counts the rows of a batch. */
function changeLimits(tokens: readonly Token[], sql: string): Mutation[] {
  return tokens.flatMap((token, at) => {
    if (token.text !== 'limit' && token.text !== 'offset') return [];
    const end = endOfClause(tokens, at + 1, ({ text }) => /^(for|offset|limit|union|returning)$/.test(text));
    const [first, last] = [tokens[at + 1], tokens[end - 1]];
    if (first === undefined || last === undefined || end <= at + 1) return [];
    if (token.text === 'offset' && first.text === '0') return []; // Only the planner sees it.
    const isFixed = first === last && /^(1$|\$\{[A-Z_]+\})/.test(sql.slice(first.start, first.end));
    const more = replace(`change ${token.text}`, first, last, `(${sql.slice(first.start, last.end)}) + 1`);
    return [replace(`drop ${token.text}`, token, last, ''), ...(isFixed ? [] : [more])];
  });
}

/** An order without one of its items, or none; a window without its parts. */
function dropOrders(tokens: readonly Token[]): Mutation[] {
  return tokens.flatMap((token, at) => {
    const isPartition = token.text === 'partition';
    if ((token.text !== 'order' && !isPartition) || tokens[at + 1]?.text !== 'by') return [];
    const isEnd = ({ text }: Token) => /^(limit|offset|for|on|order|rows|range|union|returning)$/.test(text);
    const items = itemsFrom(tokens, at + 2, isEnd);
    const end = items.at(-1)?.last;
    if (end === undefined) return [];
    const kind = isPartition ? 'drop partition' : 'drop order';
    const each = items.map(({ first, last }, index) => {
      const [left, right] = [items[index - 1], items[index + 1]];
      return {
        kind,
        start: left?.last.end ?? first.start,
        end: left ? last.end : (right?.first.start ?? last.end),
        replacement: '',
      };
    });
    return [replace(kind, token, end, ''), ...(items.length > 1 ? each : [])];
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

const SWAPS = new Map(
  Object.entries({ '+': '-', '-': '+', true: 'false', false: 'true', max: 'min', min: 'max', any: 'all' }),
);

/** Numbers, truths, sums and fallbacks. */
function changeConstants(tokens: readonly Token[], sql: string): Mutation[] {
  return tokens.flatMap((token, at) => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    const swapped = SWAPS.get(token.text);
    if (
      /^\d+$/.test(token.text) &&
      !/^(limit|offset|select|order|\.)$/.test(before?.text ?? '') &&
      before?.text !== 'by'
    )
      return [replace('change constant', token, token, String(Number(token.text) + 1))];
    if (token.text === 'coalesce' && after?.text === '(') return dropFallback(tokens, at + 1, sql);
    if (swapped === undefined) return [];
    if (/^[+-]$/.test(swapped)) {
      const isSum = before?.kind !== 'other' || /^[)\]]$/.test(before.text);
      return isSum && before !== undefined && after?.kind !== 'string'
        ? [replace('flip operator', token, token, swapped)]
        : [];
    }
    if (/^(true|false)$/.test(swapped))
      return before?.text === 'on' ? [] : [replace('change constant', token, token, swapped)];
    return after?.text === '(' && before?.text !== '.' ? [replace('swap function', token, token, swapped)] : [];
  });
}

/** `coalesce(a, b)` as `a`. */
function dropFallback(tokens: readonly Token[], open: number, sql: string): Mutation[] {
  const items = itemsFrom(tokens.slice(0, closeOf(tokens, open)), open + 1, () => false);
  const [first, rest] = [items[0], items.at(-1)];
  if (first === undefined || rest === undefined || first === rest) return [];
  const start = tokens[open - 1] as Token;
  const end = tokens[closeOf(tokens, open)] as Token;
  return [replace('drop fallback', start, end, `(${sql.slice(first.first.start, first.last.end)})`)];
}
