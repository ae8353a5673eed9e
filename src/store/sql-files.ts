import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BrokenBuildError } from '../basics/errors.ts';

/** Both the sources and the build lie one folder below the project's root. */
const ROOT = path.join(import.meta.dirname, '..', '..');
export const MIGRATIONS = path.join(ROOT, 'migrations');
export const ROLES_FILE = path.join(ROOT, 'ops', 'postgres', 'roles.sql');

const MIGRATION_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

/**
 * Reads a file of statements. Its lines end in LF, also in a checkout that ends them otherwise.
 * @throws BrokenBuildError
 */
export const readSqlFile = (file: string): string =>
  readPart(file, () => readFileSync(file, 'utf8')).replaceAll('\r\n', '\n');

/** The names of the migrations, in order. @throws BrokenBuildError also if there is none */
export function listMigrationNames(directory: string): string[] {
  const names = readPart(directory, () => readdirSync(directory)).filter((name) => MIGRATION_NAME.test(name));
  if (names.length === 0) throw new BrokenBuildError(`${nameOf(directory)} contains no migration: ${REMEDY}`);
  return names.sort();
}

const REMEDY = 'install this version again';
const nameOf = (file: string): string => path.relative(ROOT, file);

function readPart<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new BrokenBuildError(`${nameOf(file)} cannot be read${code}: ${REMEDY}`);
  }
}
