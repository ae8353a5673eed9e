import { readFileSync, statSync } from 'node:fs';
import { decodeUtf8 } from '../basics/utf8.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables of `shape`: where `NAME` is not set, the text of the file that `NAME_FILE` names, without space around it.
 * @param faults gets a sentence for each file that cannot be read.
 */
export function readWithFiles(
  shape: object,
  environment: Environment,
  faults: string[],
): Record<string, string | undefined> {
  const values: Record<string, string | undefined> = {};
  for (const name of Object.keys(shape)) {
    const file = environment[`${name}_FILE`];
    values[name] = environment[name] || undefined; // An empty variable is an unset one.
    if (file === undefined || values[name] !== undefined) continue;
    try {
      values[name] = decodeUtf8(readFileSync(file))?.trim();
      if (values[name] === undefined) faults.push(`${name}_FILE names a file that is not UTF-8`);
    } catch {
      faults.push(`${name}_FILE names a file that cannot be read`);
    }
  }
  return values;
}

/** Lists files that every user of the machine may change. The operator who mounts them decides who may read them. */
export function listOpenFiles(shape: object, environment: Environment): string[] {
  const isOpen = (file: string) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0;
  return Object.keys(shape).flatMap((name) => {
    const file = environment[`${name}_FILE`];
    return file !== undefined && isOpen(file)
      ? [`${name}_FILE names a file that everybody may write: remove that right (chmod o-w)`]
      : [];
  });
}
