import ts from 'typescript';
import { eachFunction, hash, identifyFunctions, parse } from './functions.ts';

/**
 * Temporal runs workflows in a context of their own, which has none of our globals. Its global `assert` is from outside,
 * so that code built with it sees the process.
 */
export const buildOutside = (code: string) => `globalThis.assert?.constructor('id', ${JSON.stringify(code)})`;
export const FS = "process.getBuiltinModule('node:fs')";
const RECORD = buildOutside(`${FS}.appendFileSync(process.env.MUTATION_RECORD, id)`);

/** Code that runs only if a function comes there: a body, a branch, or what follows an `if`. */
interface Branch {
  readonly id: string;
  /** What belongs to it: an expression, a statement, or the rest of a list of statements. */
  readonly nodes: readonly ts.Node[];
}

/** The branches of all functions. A branch has another id when its code changes, so that old records do not speak of it. */
function branchesOf(file: ts.SourceFile, functionIds: ReadonlyMap<ts.Node, string>): Branch[] {
  const branches: Branch[] = [];
  const twins = new Map<string, number>();
  visit(file, undefined);
  return branches;

  function visit(node: ts.Node, functionId: string | undefined): void {
    if (ts.isTypeNode(node)) return;
    const inside = functionIds.get(node) ?? functionId;
    if (inside !== undefined) {
      for (const nodes of listBranches(node)) {
        const id = hash(inside, ...nodes.map((part) => part.getText(file)));
        const before = twins.get(id) ?? 0;
        twins.set(id, before + 1);
        branches.push({ id: hash('branch', id, before), nodes });
      }
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  }
}

function listBranches(node: ts.Node): (readonly ts.Node[])[] {
  if (ts.isIfStatement(node))
    return [[node.thenStatement], node.elseStatement ? [node.elseStatement] : []].filter(isAny);
  if (ts.isIterationStatement(node, false)) return [[node.statement]];
  if (ts.isConditionalExpression(node)) return [[node.whenTrue], [node.whenFalse]];
  if (ts.isBinaryExpression(node)) return /^(&&|\|\||\?\?)$/.test(node.operatorToken.getText()) ? [[node.right]] : [];
  if (ts.isCatchClause(node)) return [node.block.statements].filter(isAny);
  if (ts.isCaseOrDefaultClause(node)) return [node.statements, ...listAfterIfs(node.statements)].filter(isAny);
  return ts.isBlock(node) ? listAfterIfs(node.statements) : [];
}

const isAny = (nodes: readonly ts.Node[]) => nodes.length > 0;

const listAfterIfs = (statements: readonly ts.Statement[]) =>
  statements.flatMap((statement, at) => (ts.isIfStatement(statement) ? [statements.slice(at + 1)] : [])).filter(isAny);

/** The innermost branch that begins at a node. */
export function identifyBranches(
  file: ts.SourceFile,
  functionIds: ReadonlyMap<ts.Node, string>,
): ReadonlyMap<ts.Node, string> {
  return new Map(branchesOf(file, functionIds).flatMap(({ id, nodes }) => nodes.map((node) => [node, id] as const)));
}

/** The same source with instrumented functions and branches: each records its id when it runs. */
export function instrument(source: string, path: string): string {
  const file = parse(source);
  const ids = identifyFunctions(file, path);
  const inserts: { readonly at: number; readonly text: string }[] = [];
  const record = (id: string | undefined) =>
    `(globalThis.reached?.add('${id}') ?? ${RECORD}('{"inWorkflow":"${id}"}\\n'))`;
  const wrap = (node: ts.Node, before: string, after: string) =>
    inserts.push({ at: node.getStart(file), text: before }, { at: node.end, text: after });
  const begin = (node: ts.Node, id: string | undefined) => {
    if (ts.isBlock(node)) inserts.push({ at: node.getStart(file) + 1, text: ` ${record(id)};` });
    else if (ts.isStatement(node)) wrap(node, `{ ${record(id)}; `, ' }');
    else wrap(node, `(${record(id)}, `, ')');
  };
  eachFunction(file, (node, body) => begin(body, ids.get(node)));
  for (const { id, nodes } of branchesOf(file, ids)) {
    const [first] = nodes;
    if (first === undefined) continue;
    if (isListed(first)) inserts.push({ at: first.getStart(file), text: `${record(id)}; ` });
    else begin(first, id);
  }
  inserts.sort((a, b) => b.at - a.at);
  return inserts.reduce((text, { at, text: insert }) => text.slice(0, at) + insert + text.slice(at), source);
}

/** A statement among others. */
const isListed = (node: ts.Node) => ts.isBlock(node.parent) || ts.isCaseOrDefaultClause(node.parent);
