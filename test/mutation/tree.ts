import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';

/** Shared with the checkout: packages, downloads, generated code, the build. */
const GENERATED = ['src/generated', 'console/src/generated', 'clients/typescript/src/generated'];
const LINKED = ['node_modules', '.cache', ...GENERATED, 'dist', 'local/dist', 'sandbox/dist'];

/** A copy of the checkout, including uncommitted changes, in which sources are mutated. */
export class Tree {
  readonly folder = path.join(ROOT, '.cache', 'mutation', `tree-${process.pid}`);
  readonly #files: readonly string[];

  constructor() {
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    this.#files = listed.split('\0').filter((name) => name !== '' && existsSync(path.join(ROOT, name)));
    for (const file of this.#files) cpSync(path.join(ROOT, file), this.pathOf(file));
    for (const name of LINKED.filter((name) => existsSync(path.join(ROOT, name)))) {
      mkdirSync(path.dirname(this.pathOf(name)), { recursive: true });
      symlinkSync(path.join(ROOT, name), this.pathOf(name));
    }
  }

  /** TypeScript files at or below a path. */
  list = (below: string): string[] =>
    this.#files.filter((file) => file.endsWith('.ts') && (file === below || file.startsWith(`${below}/`)));

  /** The file's text in the checkout. */
  read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
  write = (file: string, content: string): void => writeFileSync(this.pathOf(file), content);

  /** Converts a path to the test runner's form, and back. */
  pathOf = (file: string): string => path.join(this.folder, file);
  nameOf = (file: string): string => path.relative(this.folder, file);

  remove = (): void => rmSync(this.folder, { recursive: true, force: true });
}
