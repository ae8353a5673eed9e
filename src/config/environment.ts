import { readFileSync, statSync } from 'node:fs';
import { cleanValue } from '../basics/clean-value.ts';
import { decodeUtf8 } from '../basics/utf8.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that libraries read themselves: Temporal's, OpenTelemetry's, Amazon's, and Postgres' PGUSER and others. */
const OF_LIBRARIES = /^(TEMPORAL|OTEL|AWS)_[A-Z]|^PG[A-Z]/;
/** Those of them that name a file, even if their name without `_FILE` is a setting too. */
const NAMES_OF_FILES: ReadonlySet<string> = new Set([
  'AWS_CONFIG_FILE',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'OTEL_CONFIG_FILE',
  'OTEL_EXPERIMENTAL_CONFIG_FILE',
  'TEMPORAL_CONFIG_FILE',
]);

/** The names of `shape`, and of the libraries' variables that are set here in either form. */
const listNames = (shape: object, environment: Environment): ReadonlySet<string> =>
  new Set([
    ...Object.keys(shape),
    ...Object.keys(environment)
      .filter((name) => OF_LIBRARIES.test(name))
      .map((name) => (NAMES_OF_FILES.has(name) ? name : name.replace(/_FILE$/, ''))),
  ]);

const fileOf = (name: string, environment: Environment): string | undefined =>
  cleanValue(`${name}_FILE`, environment[`${name}_FILE`]);

/**
 * Reads the variables of `shape` and those of libraries. Where `NAME` is not set, it is the text of the file that `NAME_FILE`
 * names.
 * @param faults gets a sentence for each file that cannot be read.
 */
export function readEnvironment(
  shape: object,
  environment: Environment,
  faults: string[],
): Record<string, string | undefined> {
  const values: Record<string, string | undefined> = {};
  for (const name of listNames(shape, environment)) {
    values[name] = cleanValue(name, environment[name]);
    const file = fileOf(name, environment);
    if (file === undefined || values[name] !== undefined) continue;
    try {
      const text = decodeUtf8(readFileSync(file));
      if (text === undefined) faults.push(`${name}_FILE names a file that is not UTF-8`);
      values[name] = cleanValue(name, text);
    } catch {
      faults.push(`${name}_FILE names a file that cannot be read`);
    }
  }
  return values;
}

/** Gives libraries, which read the environment of the process, the same values. */
export function setForLibraries(values: Environment, environment: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!OF_LIBRARIES.test(name) || environment[name] === value) continue;
    if (value === undefined) delete environment[name];
    else environment[name] = value;
  }
}

/** Lists files that every user of the machine may change. The operator who mounts them decides who may read them. */
export function listOpenFiles(shape: object, environment: Environment): string[] {
  const isOpen = (file: string) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0;
  return [...listNames(shape, environment)].flatMap((name) => {
    const file = fileOf(name, environment);
    return file !== undefined && isOpen(file)
      ? [`${name}_FILE names a file that everyone may write: remove that right (chmod o-w)`]
      : [];
  });
}
