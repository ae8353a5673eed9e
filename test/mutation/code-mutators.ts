import ts from 'typescript';
import { DURATION, type Hole, type Mutation, mutateSql } from './sql-mutators.ts';

/** A mutation of a source file. */
export interface Mutant extends Mutation {
  readonly line: number;
}
/** A mutant and its file. */
export interface Placed extends Mutant {
  readonly file: string;
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
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  visit(file);
  return mutants.sort((a, b) => a.start - b.start);

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isTelling(node)) return;
    for (const mutation of mutationsOf(node, file)) {
      const { line } = file.getLineAndCharacterOfPosition(mutation.start);
      mutants.push({ ...mutation, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  }
}

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
  return ts.isBlock(block) && ts.isFunctionLike(block.parent) && block.statements.at(-1) === node;
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
