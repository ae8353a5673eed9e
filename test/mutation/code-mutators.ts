import ts from 'typescript';
import { eachFunction, hash, identifyFunctions, isFunction, namesAround, parse } from './functions.ts';
import { buildOutside, FS, identifyBranches } from './instrument.ts';
import { DURATION, mutateSql } from './sql-mutators.ts';
import type { Hole, Mutation } from './sql-tokens.ts';

/** A mutation of a source file. */
export interface Mutant extends Mutation {
  /** Stays the same while the enclosing statement does, even if the file changes. */
  readonly id: string;
  readonly line: number;
  /** The innermost enclosing function; undefined for code that runs when the module is loaded. */
  readonly functionId: string | undefined;
  /** The innermost enclosing branch of that function, if there is one. */
  readonly branchId: string | undefined;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};
const METHODS = new Map(Object.entries({ some: 'every', every: 'some', min: 'max', max: 'min' }));
/** A closed code, such as NOT_FOUND or RetryLater, but no sentence or SQL. */
const CODE = /^[A-Z][A-Za-z_]{2,}$/;

/** All mutants of a file, in source order. */
export function mutantsOf(source: string, path: string): Mutant[] {
  const file = parse(source);
  const functionIds = identifyFunctions(file, path);
  const branchIds = identifyBranches(file, functionIds);
  const mutants: Mutant[] = [];
  const twins = new Map<string, number>();
  visit(file, undefined, undefined);
  return mutants.sort((a, b) => a.start - b.start);

  function visit(node: ts.Node, functionId: string | undefined, around: string | undefined): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isTelling(node)) return;
    const inside = functionIds.get(node) ?? functionId;
    const branchId = branchIds.get(node) ?? (inside === functionId ? around : undefined);
    for (const mutation of mutationsOf(node, file)) {
      const { line } = file.getLineAndCharacterOfPosition(mutation.start);
      const id = identify(mutation, file, inside ?? path);
      const before = twins.get(id) ?? 0;
      twins.set(id, before + 1);
      const place = { line: line + 1, functionId: inside, branchId };
      mutants.push({ ...mutation, id: before === 0 ? id : hash(id, before), ...place });
    }
    ts.forEachChild(node, (child) => visit(child, inside, branchId));
  }
}

/**
 * Stays the same while the enclosing statement and its place do, so that results survive changes elsewhere in the file.
 * @param place the function, or the file: the same statement can stand in several.
 */
function identify({ kind, start, end, replacement }: Mutation, file: ts.SourceFile, place: string): string {
  const statement = statementAt(end, file);
  return hash(place, statement.getText(file), kind, start - statement.getStart(file), end - start, replacement);
}

/** The names of the function of a mutant and of what is around it; empty outside any function. */
export function functionNameOf(source: string, { start, functionId }: Pick<Mutant, 'start' | 'functionId'>): string {
  let found: ts.Node | undefined;
  eachFunction(parse(source), (node) => {
    if (node.pos <= start && start < node.end) found = node; // The innermost comes last.
  });
  return functionId === undefined || found === undefined ? '' : namesAround(found).join('.');
}

const statementAt = (end: number, file: ts.SourceFile) =>
  file.statements.find((statement) => statement.end >= end) ?? file;

/** Log lines, error messages and Temporal details do not affect behavior. */
function isTelling(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return /^(void )?(\w+\.)*(log|logger|setCurrentDetails)\b/.test(node.getText());
  return ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent);
}

function mutationsOf(node: ts.Node, file: ts.SourceFile): Mutation[] {
  const replace = (kind: string, part: ts.Node, replacement: string): Mutation => ({
    kind,
    start: part.getStart(file),
    end: part.end,
    replacement,
  });
  /** The visit of a comparison or negation itself negates it. */
  const negate = (condition: ts.Expression) =>
    ts.isPrefixUnaryExpression(condition) || /^[!=]==$/.test(operatorOf(condition))
      ? []
      : [replace('negate condition', condition, `!(${condition.getText(file)})`)];
  const operatorOf = (expression: ts.Expression) =>
    ts.isBinaryExpression(expression) ? expression.operatorToken.getText(file) : '';

  if (ts.isTaggedTemplateExpression(node)) return isSql(node) ? sqlMutationsOf(node, file) : [];
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return negate(node.expression);
  if (ts.isConditionalExpression(node)) return negate(node.condition);
  if (ts.isBinaryExpression(node)) {
    const flipped = COMPARISONS[node.operatorToken.getText(file)];
    const isText = [node.left, node.right].some(
      (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
    );
    if (flipped === undefined || isText) return comparedText(flipped);
    // `a && b ?? c` is no JavaScript.
    if ([node.parent, node.left].some((next) => ts.isBinaryExpression(next) && operatorOf(next) === '??')) {
      const [left, right] = [node.left, node.right].map((side) => side.getText(file));
      return [replace('flip operator', node, `((${left}) ${flipped} (${right}))`)];
    }
    return [replace('flip operator', node.operatorToken, flipped)];
  }
  if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent) && node.parent.expression === node) {
    const other = METHODS.get(node.name.text);
    return other === undefined || node.expression.getText(file) === 'z'
      ? []
      : [replace('swap method', node.name, other)];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [replace('drop negation', node, node.operand.getText(file))];
  }
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return [replace('drop statement', node, ';')];
  if (ts.isReturnStatement(node) && !isLast(node)) return [replace('drop return', node, ';')];
  if (ts.isCaseClause(node) && node.parent.clauses.length > 1) return [replace('drop case', node, '')];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [replace('change constant', node, 'false')];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [replace('change constant', node, 'true')];
  if (ts.isNumericLiteral(node)) {
    const number = Number(node.text.replaceAll('_', ''));
    return [replace('change constant', node, String(isLengthOfTime(node, file) ? number * 2 : number + 1))];
  }
  if (ts.isStringLiteral(node) && !ts.isLiteralTypeNode(node.parent)) return textMutations(node);
  return [];

  function comparedText(flipped: string | undefined): Mutation[] {
    if (flipped === undefined || !ts.isBinaryExpression(node)) return [];
    return /^[!=]==$/.test(flipped) ? [replace('flip operator', node.operatorToken, flipped)] : [];
  }

  function textMutations(literal: ts.StringLiteral): Mutation[] {
    const [, count, unit] = DURATION.exec(literal.text) ?? [];
    if (count !== undefined) return [replace('widen interval', literal, `'${Number(count) * 2} ${unit}'`)];
    const isName = ts.isPropertyAssignment(literal.parent) && literal.parent.name === literal;
    return CODE.test(literal.text) && !isName ? [replace('change code', literal, "'MUTATED'")] : [];
  }
}

/** Doubles large numbers, because no test distinguishes 45,000 ms from 45,001. */
const isLengthOfTime = (node: ts.NumericLiteral, file: ts.SourceFile): boolean => {
  const { parent } = node;
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return Number(node.text) > 1 && isNamed && /(ms|seconds|minutes|hours|days)$/i.test(parent.name.getText(file));
};

/** The last statement of a function is not dropped: it is usually the function's purpose. */
const isLast = (node: ts.Node) => {
  const block = node.parent;
  return ts.isBlock(block) && isFunction(block.parent) && block.statements.at(-1) === node;
};

/** Also of the tags that `src/store/rows.ts` makes of `sql`. */
const isSql = ({ tag }: ts.TaggedTemplateExpression): boolean => {
  const of = ts.isCallExpression(tag) ? tag.arguments[0] : tag;
  return of !== undefined && ts.isIdentifier(of) && /^(sql|tx)$/.test(of.text);
};

/** The tags of `src/store/rows.ts` that read one row: a statement's own `limit 1` changes nothing for them. */
const readsOneRow = ({ tag }: ts.TaggedTemplateExpression): boolean =>
  ts.isCallExpression(tag) && /^(findRow|getRow|findValue|getValue|hasRows)$/.test(tag.expression.getText());

function sqlMutationsOf(tagged: ts.TaggedTemplateExpression, file: ts.SourceFile): Mutation[] {
  const { template } = tagged;
  const origin = template.getStart(file) + 1;
  const spans = ts.isTemplateExpression(template) ? template.templateSpans : [];
  const holes = spans.map(({ expression, literal }): Hole => {
    const start = file.text.lastIndexOf('${', expression.getStart(file)) - origin;
    return [start, literal.getStart(file) + 1 - origin];
  });
  const text = file.text.slice(origin, template.end - 1);
  const isOwnLimit = ({ kind, start }: Mutation) =>
    kind === 'drop limit' && readsOneRow(tagged) && /^limit 1\s*$/.test(text.slice(start));
  const mutations = mutateSql(text, holes).filter((mutation) => !isOwnLimit(mutation));
  return mutations.map((mutation) => ({
    ...mutation,
    kind: `SQL: ${mutation.kind}`,
    start: origin + mutation.start,
    end: origin + mutation.end,
  }));
}

export const applyMutation = (source: string, { start, end, replacement }: Mutation): string =>
  source.slice(0, start) + replacement + source.slice(end);

/** The users of names of a module's top level. */
export interface Users {
  /** The ids of the functions that use them. */
  readonly functionIds: readonly string[];
  /** The names that the top level gives to values that it makes from them. */
  readonly names: readonly string[];
}

/** Finds what uses these names, in the module that declares them or in one that imports them. */
export function findUsers(source: string, path: string, names: ReadonlySet<string>): Users {
  const file = parse(source);
  const ids = identifyFunctions(file, path);
  const known = new Set(names);
  const functionIds = new Set<string>();
  for (let before = -1; before < known.size; ) {
    before = known.size;
    for (const statement of file.statements) visit(statement, statement, undefined);
  }
  return { functionIds: [...functionIds], names: [...known] };

  function visit(node: ts.Node, statement: ts.Statement, functionId: string | undefined): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    const inside = ids.get(node) ?? functionId;
    if (ts.isIdentifier(node) && known.has(node.text)) {
      if (inside === undefined) for (const name of namesDeclaredBy(statement)) known.add(name);
      else functionIds.add(inside);
    }
    ts.forEachChild(node, (child) => visit(child, statement, inside));
  }
}

/** The names that the top-level statement around a mutant declares. */
export const namesAt = (source: string, { end }: Pick<Mutant, 'end'>): string[] => {
  const statement = statementAt(end, parse(source));
  return ts.isSourceFile(statement) ? [] : namesDeclaredBy(statement);
};

function namesDeclaredBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
  const { name } = statement as Partial<ts.DeclarationStatement>;
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}

const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));

const COMPARE = buildOutside(`return ${FS}.readFileSync(process.env.MUTATION_ACTIVE, 'utf8') === id`);

/** The source with these mutants built in, of which only the active one has an effect. */
export interface Embedding {
  readonly source: string;
  /** The ids of the mutants in it; a mutant outside any function body is not. */
  readonly ids: readonly string[];
}

/** Gives each function a variant of its body for each of its mutants. */
export function embed(source: string, path: string, mutants: readonly Mutant[]): Embedding {
  const file = parse(source);
  const functionIds = identifyFunctions(file, path);
  const ids: string[] = [];
  return { source: rewrite(file, 0), ids };

  function rewrite(node: ts.Node, start: number): string {
    let text = '';
    let at = start;
    visit(node);
    return text + source.slice(at, node.end);

    function visit(parent: ts.Node): void {
      ts.forEachChild(parent, (child) => {
        if (!isFunction(child) || child.body === undefined) return visit(child);
        const bodyStart = child.body.getStart(file);
        text += source.slice(at, bodyStart) + rewriteBody(child.body, bodyStart, functionIds.get(child));
        at = child.body.end;
      });
    }
  }

  function rewriteBody(body: ts.ConciseBody, start: number, functionId: string | undefined): string {
    const plain = rewrite(body, start);
    const own = mutants.filter((mutant) => mutant.functionId === functionId && isWithin(mutant, start, body.end));
    if (own.length === 0) return plain;
    ids.push(...own.map(({ id }) => id));
    const variants = own.map((mutant) => {
      const isActive = `(globalThis.isActiveMutant ?? ${COMPARE})?.('${mutant.id}')`;
      const text = applyMutation(source, mutant).slice(
        start,
        body.end + mutant.replacement.length - mutant.end + mutant.start,
      );
      return ts.isBlock(body) ? `if (${isActive}) ${text} else ` : `${isActive} ? (${text}) : `;
    });
    return ts.isBlock(body) ? `{ ${variants.join('')}${plain} }` : `(${variants.join('')}(${plain}))`;
  }
}

const isWithin = (mutant: Mutant, start: number, end: number) => mutant.start >= start && mutant.end <= end;
