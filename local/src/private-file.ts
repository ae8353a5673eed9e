import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';

/** Writes a file that only its owner can read. The write is atomic: readers see the old content or the new. */
export function writePrivateText(file: string, content: string): void {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, file);
}

export const writePrivateJson = (file: string, content: unknown): void =>
  writePrivateText(file, `${JSON.stringify(content, undefined, 2)}\n`);

/** @returns undefined if the file does not exist. @throws if its content does not match `schema` */
export function readPrivateJson<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return schema.parse(JSON.parse(text));
}
