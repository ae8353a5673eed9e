import { createHash } from 'node:crypto';
import ts from 'typescript';

const parsed = new Map<string, ts.SourceFile>();
export function parse(source: string): ts.SourceFile {
  const file = parsed.get(source) ?? ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  parsed.set(source, file);
  return file;
}

export const hash = (...parts: readonly (string | number)[]) =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12);

export const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && 'body' in node;

export function eachFunction(node: ts.Node, visit: (node: ts.Node, body: ts.ConciseBody) => void): void {
  if (ts.isTypeNode(node)) return;
  if (isFunction(node) && node.body !== undefined) visit(node, node.body);
  ts.forEachChild(node, (child) => eachFunction(child, visit));
}

/** A function keeps its id when its body changes: it consists of its file and the names around it. */
export function identifyFunctions(file: ts.SourceFile, path: string): ReadonlyMap<ts.Node, string> {
  const ids = new Map<ts.Node, string>();
  const seen = new Map<string, number>();
  eachFunction(file, (node) => {
    const names = namesAround(node).join('.');
    const before = seen.get(names) ?? 0;
    seen.set(names, before + 1);
    ids.set(node, hash(path, names, before));
  });
  return ids;
}

export function namesAround(node: ts.Node): string[] {
  const { name } = node as Partial<ts.NamedDeclaration>;
  const own = name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
  return node.parent === undefined ? own : [...namesAround(node.parent), ...own];
}

/** Functions of a source, by the ids that mutants use. */
export const functionsOf = (source: string, path: string): string[] => [
  ...identifyFunctions(parse(source), path).values(),
];
