/** A block of the guide: lines to add to a file, or a new file. */
export interface Step {
  readonly file: string;
  /** The text that stands before and after the change; a new file has none before. */
  readonly before: string;
  readonly after: string;
}

/** Reads the steps that the guide shows: its `diff` blocks, and its migration. */
export function readSteps(guide: string): readonly Step[] {
  const diffs = [...guide.matchAll(/^```diff\n# (\S+)\n([\s\S]*?)^```$/gm)].map(([, file = '', body = '']) => {
    const lines = body.split('\n').filter((line) => line !== '');
    const kept = lines.filter((line) => line.startsWith(' '));
    return { file, before: join(kept), after: join(lines) };
  });
  const files = [...guide.matchAll(/^```sql\n-- (migrations\/\S+)\n([\s\S]*?)^```$/gm)];
  return [...diffs, ...files.map(([, file = '', after = '']) => ({ file, before: '', after }))];
}

const join = (lines: readonly string[]) => lines.map((line) => `${line.slice(1)}\n`).join('');

/** Applies a step to the text of its file. @throws Error if the text before does not occur exactly once */
export function applyStep(text: string, { file, before, after }: Step): string {
  if (text === '' && before === '') return after;
  const parts = text.split(before);
  if (before === '' || parts.length !== 2)
    throw new Error(`The guide's lines for ${file} are not there once:\n${before}`);
  return parts.join(after);
}
