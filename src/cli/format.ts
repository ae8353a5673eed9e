/** A text that a table may cut to so many characters, if its line would be too long. */
export interface Cuttable {
  readonly text: string;
  readonly least: number;
}

/** A JSON value; an instant is ISO 8601 in UTC, and a missing value is null. */
export type Value = string | number | boolean | null | readonly string[] | Cuttable;

/** The output of a command: names, in camelCase, and values. */
export type Row = Readonly<Record<string, Value>>;

/**
 * Formats the output for a person: one row as a line for each value, several rows as a table.
 * @param options.isList true if one row too is a table.
 */
export function formatText(printed: Row | readonly Row[], { isList = false }: { isList?: boolean } = {}): string {
  const rows = [printed].flat();
  return rows.length === 1 && rows[0] && !isList ? list(rows[0]) : table(rows);
}

/** Control characters of terminals and text direction: names may come from other people. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Formats one line of output for a program. A program reads the escapes as the characters; a terminal obeys none of them. */
export const formatJson = (printed: unknown): string =>
  `${JSON.stringify(printed).replace(UNPRINTABLE, escapeUnits)}\n`;

/** Escapes each UTF-16 unit, as JSON does. */
const escapeUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Foreign text in one line of an error message. */
export const toPrintable = (foreign: string): string => foreign.replace(UNPRINTABLE, '\u{FFFD}');

const isCuttable = (value: Value | undefined): value is Cuttable =>
  typeof value === 'object' && value !== null && 'least' in value;

function text(value: Value | undefined): string {
  if (value === null || value === undefined) return '-';
  if (isCuttable(value)) return toPrintable(value.text);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return toPrintable(value.join(' ')) || 'none';
  return toPrintable(String(value));
}

/** The width of a terminal. */
const WIDTH = 120;

/** A list that does not fit into its line has a line for each element. */
function list(row: Row): string {
  const width = Math.max(14, ...Object.keys(row).map(({ length }) => length)) + 2;
  return Object.entries(row)
    .flatMap(([name, value]) => {
      const whole = text(value);
      const lines = Array.isArray(value) && width + whole.length > WIDTH ? value.map(text) : [whole];
      return lines.map((line, index) => `${(index === 0 ? name : '').padEnd(width)}${line}\n`);
    })
    .join('');
}

function table(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return 'None.\n';
  const columns = names.map((name) => {
    const values = rows.map((row) => row[name]);
    const cells = [name, ...values.map(text)];
    const leasts = values.map((value) => (isCuttable(value) ? value.least : text(value).length));
    return { cells, width: Math.max(...cells.map(({ length }) => length)), least: Math.max(name.length, ...leasts) };
  });
  let excess = columns.reduce((sum, { width }) => sum + width + 2, -2) - WIDTH;
  for (const column of columns.toSorted((a, b) => b.width - b.least - (a.width - a.least))) {
    const off = Math.min(Math.max(excess, 0), column.width - column.least);
    column.width -= off;
    excess -= off;
  }
  const pad = (cell: string, width: number) =>
    cell.length > width ? `${cell.slice(0, width - 1)}…` : cell.padEnd(width);
  return ['', ...rows]
    .map((_row, line) => columns.map(({ cells, width }) => pad(cells[line] ?? '', width)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
