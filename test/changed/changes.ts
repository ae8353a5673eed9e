import { execFileSync } from 'node:child_process';
import ts from 'typescript';

/** The change of a file. */
export interface Change {
  /** From the project's root. */
  readonly file: string;
  /**
   * The functions that enclose the changed lines; none if only comments changed; undefined if a line stands outside every function,
   * or the file is no TypeScript.
   */
  readonly functions: readonly string[] | undefined;
}

/** Changed line numbers of the new text, from 1. */
type Lines = readonly number[];

/**
 * Finds the differences from a commit, with uncommitted ones.
 * @param base a commit; without one, where this branch left `main`, or the last commit if this is `main`.
 */
export function listChanges(root: string, read: (file: string) => string | undefined, base?: string): Change[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' });
  const from = base ?? findBase(git);
  const changed = parseDiff(git('diff', '--unified=0', '--no-color', '--no-renames', '--no-ext-diff', from));
  for (const file of git('ls-files', '--others', '--exclude-standard').split('\n')) {
    if (file !== '') changed.set(file, []);
  }
  return [...changed].map(([file, lines]) => ({ file, functions: findFunctions(file, read(file), lines) }));
}

function findBase(git: (...args: string[]) => string): string {
  for (const main of ['origin/main', 'main']) {
    try {
      return git('merge-base', 'HEAD', main).trim();
    } catch {
      // There is no such branch here.
    }
  }
  return 'HEAD';
}

/** Reads `git diff --unified=0`. */
function parseDiff(diff: string): Map<string, Lines> {
  const found = new Map<string, number[]>();
  let before = '';
  let lines: number[] = [];
  for (const line of diff.split('\n')) {
    const old = /^--- (?:a\/(.*)|\/dev\/null)$/.exec(line);
    if (old !== null) before = old[1] ?? '';
    const now = /^\+\+\+ (?:b\/(.*)|\/dev\/null)$/.exec(line);
    if (now !== null) {
      lines = [];
      found.set(now[1] ?? before, lines);
    }
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    const [start, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
    // Lines that only went: both neighbours count.
    if (count === 0) lines.push(Math.max(start, 1), start + 1);
    else for (let n = 0; n < count; n += 1) lines.push(start + n);
  }
  return found;
}

/** The innermost named function around each line of code; undefined if one line has none. */
export function findFunctions(file: string, text: string | undefined, lines: Lines): string[] | undefined {
  if (text === undefined || !/\.[mc]?tsx?$/.test(file) || lines.length === 0) return undefined;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const names = new Set<string>();
  let imports = false;
  for (const line of lines) {
    const content = text.split('\n')[line - 1] ?? '';
    if (COMMENT.test(content)) continue;
    const name = findEnclosing(source, line);
    if (name !== undefined) names.add(name);
    else if (IMPORT.test(content)) imports = true;
    else return undefined;
  }
  // A change of imports alone may be another module under the same name.
  return imports && names.size === 0 ? undefined : [...names];
}

const COMMENT = /^\s*(?:$|\/\/|\/\*|\*)/;
const IMPORT = /^\s*(?:import\b|\} from )/;

function findEnclosing(source: ts.SourceFile, line: number): string | undefined {
  let found: string | undefined;
  const visit = (node: ts.Node): void => {
    const from = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const to = source.getLineAndCharacterOfPosition(node.end).line + 1;
    if (line < from || line > to) return;
    found = nameOf(node) ?? found;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

/** The name by which the engine calls a function. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text;
  if (ts.isConstructorDeclaration(node)) return node.parent.name?.text;
  if (ts.isMethodDeclaration(node)) return readName(node.name);
  if (ts.isGetAccessor(node)) return `get ${readName(node.name)}`;
  if (ts.isSetAccessor(node)) return `set ${readName(node.name)}`;
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return undefined;
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) {
    return readName(parent.name);
  }
  return undefined;
}

const readName = (name: ts.Node): string | undefined =>
  ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined;
