import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';

/** The folder of files that later mutation runs reuse. */
export const PLACE = path.join(ROOT, '.cache', 'mutation');
/** Shared with the checkout: packages, downloads, generated code, the build. */
const GENERATED = ['src/generated', 'console/src/generated', 'clients/typescript/src/generated'];
const LINKED = ['node_modules', '.cache', ...GENERATED, 'dist', 'local/dist', 'sandbox/dist'];

/** What the service keeps for the life of its process and no mutant would change, or every later run would have. */
const KEPT_FOR_LIFE = { file: 'src/store/driver/statement.ts', text: 'text ??= await', instead: 'text = await' };

/** A copy of the checkout, including uncommitted changes, in which sources are mutated. */
export class Tree {
  readonly folder = path.join(PLACE, `tree-${process.pid}`);
  /** The hash of all files together. */
  readonly hash: string;
  readonly #files = new Map<string, string>();

  constructor() {
    removeAbandoned();
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const whole = createHash('sha256');
    for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(path.join(ROOT, name)))) {
      const content = readFileSync(path.join(ROOT, file));
      whole.update(file).update(content);
      if (file.endsWith('.ts')) this.#files.set(file, content.toString('utf8'));
      this.#put(file, content);
    }
    this.hash = whole.digest('hex').slice(0, 16);
    for (const name of LINKED.filter((name) => existsSync(path.join(ROOT, name)))) {
      symlinkSync(path.join(ROOT, name), path.join(this.folder, name));
    }
  }

  /** TypeScript files below any of these paths. */
  list(...below: readonly string[]): string[] {
    return [...this.#files.keys()].filter((file) => below.some((at) => file === at || file.startsWith(`${at}/`)));
  }

  /** The file's text in the checkout. */
  read(file: string): string {
    return this.#files.get(file) ?? '';
  }

  write(file: string, content: string): void {
    this.#put(file, content);
  }

  restore(file: string): void {
    this.#put(file, this.read(file));
  }

  /** Converts a path to the test runner's form, and back. */
  pathOf = (file: string) => path.join(this.folder, file);
  nameOf = (file: string) => path.relative(this.folder, file);

  /** Files below `folder` that import `file`. */
  importersOf(file: string, folder = 'src'): string[] {
    const name = path.basename(file);
    return this.list(folder).filter((other) => {
      const imports = this.read(other).matchAll(/from '(\.[^']+)'/g);
      return [...imports].some(([, at = '']) => at.endsWith(name) && path.join(path.dirname(other), at) === file);
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #put(file: string, content: string | Buffer): void {
    const target = this.pathOf(file);
    const { text, instead } = KEPT_FOR_LIFE;
    if (file === KEPT_FOR_LIFE.file) {
      if (!content.includes(text)) throw new Error(`${file} has no ${text}`);
      content = content.toString().replaceAll(text, instead);
    }
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}

function removeAbandoned(): void {
  mkdirSync(PLACE, { recursive: true });
  for (const name of readdirSync(PLACE)) {
    const pid = Number(/^tree-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(pid) && !isRunning(pid)) rmSync(path.join(PLACE, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
