/*
 * Checks that no code outside src/basics lists members of a closed set: failure types, codes, statuses, kinds, capabilities. Such a list
 * decides by members, and a member that is added later silently falls out of it. Use a column of a table (src/basics/failures.ts,
 * failure-codes.ts) or a named part of the set with its predicate (src/basics/codes.ts).
 *
 * A list is: an array of two members, or of one that is searched; an object with two members of a set as its keys, unless it has all of
 * them or the compiler requires them; two comparisons of one expression in a chain of `||` or `&&`; two cases of a `switch` with a
 * default; two members in a list or chain of a SQL template. Two, because two comparisons decide as an array of two does, and so that the
 * form cannot hide a list. One comparison is no list: it names the member that it is about. Not found: a sequence of `if`s, and types.
 *
 * A list that a platform or a published contract defines has a comment that begins with "A list of its own:" and gives the reason, before
 * it or before a statement around it.
 *
 * Part of `npm run check`. Usage: node scripts/closed-sets.mjs [FOLDER]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const FOLDER = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const DEFINITIONS = ['codes', 'errors', 'failure-codes', 'failures'].map((name) => `src/basics/${name}.ts`);
const PROGRAMS = ['src', 'console/src', 'local/src'];
const EXCUSE = /A list of its own: \w/;

const parse = (file) =>
  ts.createSourceFile(file, readFileSync(path.join(FOLDER, file), 'utf8'), ts.ScriptTarget.Latest, true);

function unwrap(node) {
  const isAround = ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node);
  return isAround ? unwrap(node.expression) : node;
}

const textOf = (node) => (ts.isStringLiteralLike(unwrap(node)) ? unwrap(node).text : undefined);
const keysOf = (object) => object.properties.flatMap(({ name }) => (name && 'text' in name ? [name.text] : []));

/** The members that a declaration lists: the elements of an array, the keys of a table, or the texts of a union. */
function membersOf(declaration) {
  if (ts.isTypeAliasDeclaration(declaration)) {
    const types = ts.isUnionTypeNode(declaration.type) ? declaration.type.types : [];
    return types.flatMap((type) => (ts.isLiteralTypeNode(type) ? (textOf(type.literal) ?? []) : []));
  }
  const value = declaration.initializer && unwrap(declaration.initializer);
  if (value === undefined) return [];
  if (ts.isArrayLiteralExpression(value)) return value.elements.flatMap((element) => textOf(element) ?? []);
  return ts.isObjectLiteralExpression(value) ? keysOf(value) : [];
}

/** The closed sets. Names in lower case are no codes: languages, colors, and columns of a rule. */
const SETS = DEFINITIONS.filter((file) => existsSync(path.join(FOLDER, file)))
  .flatMap((file) => parse(file).statements)
  .flatMap((node) => (ts.isVariableStatement(node) ? node.declarationList.declarations : [node]))
  .filter((node) => ts.isVariableDeclaration(node) || ts.isTypeAliasDeclaration(node))
  .map((node) => membersOf(node).filter((name) => /^[A-Z]|\./.test(name)))
  .filter((members) => members.length > 1);
const MEMBERS = new Set(SETS.flat());
const isMember = (text) => text !== undefined && MEMBERS.has(text);

const { SyntaxKind } = ts;
const CHAINS = [
  [SyntaxKind.BarBarToken, [SyntaxKind.EqualsEqualsEqualsToken, SyntaxKind.EqualsEqualsToken]],
  [SyntaxKind.AmpersandAmpersandToken, [SyntaxKind.ExclamationEqualsEqualsToken, SyntaxKind.ExclamationEqualsToken]],
];
const SEARCHES = ['includes', 'indexOf', 'find', 'some', 'every', 'filter'];
const SQL_LISTS = [
  /\(\s*'\w+'(?:\s*,\s*'\w+')+\s*\)/g,
  /'\{\w+(?:,\w+)+\}'/g,
  /([\w.]+)\s*=\s*'\w+'(?:\s+or\s+\1\s*=\s*'\w+')+/g,
  /([\w.]+)\s*<>\s*'\w+'(?:\s+and\s+\1\s*<>\s*'\w+')+/g,
];

function isListed(array) {
  const members = array.elements.filter((element) => isMember(textOf(element))).length;
  if (members > 1) return members * 2 >= array.elements.length; // Fewer: a set of its own, which shares some words.
  if (members === 0 || array.elements.length > 1) return false;
  const around = array.parent;
  return ts.isPropertyAccessExpression(around) ? SEARCHES.includes(around.name.text) : ts.isNewExpression(around);
}

/** Whether an object omits members of the set of which it names two, and no type around it requires them. */
function isPartial(object) {
  const keys = keysOf(object);
  const shared = SETS.map((set) => [set, set.filter((member) => keys.includes(member)).length]);
  if (!shared.some(([, count]) => count > 1)) return false;
  if (shared.some(([set, count]) => count === set.length)) return false;
  let around = object.parent;
  while (ts.isAsExpression(around) || ts.isParenthesizedExpression(around)) around = around.parent;
  const type =
    ts.isSatisfiesExpression(around) || ts.isVariableDeclaration(around) ? around.type?.getText() : undefined;
  return type === undefined || /\bPartial<|\bRecord<string\b|\?:/.test(type) || !/\bRecord<|\[\w+ in /.test(type);
}

/** The expressions that a chain compares with a member, each as often as it does so. */
function comparisonsOf(node, [operator, equalities]) {
  const inner = unwrap(node);
  if (!ts.isBinaryExpression(inner)) return [];
  const { left, operatorToken, right } = inner;
  if (operatorToken.kind === operator)
    return [left, right].flatMap((side) => comparisonsOf(side, [operator, equalities]));
  if (!equalities.includes(operatorToken.kind)) return [];
  if (isMember(textOf(right))) return [left.getText()];
  return isMember(textOf(left)) ? [right.getText()] : [];
}

function isChain(node) {
  const chain = CHAINS.find(([operator]) => operator === node.operatorToken.kind);
  const compared = chain === undefined ? [] : comparisonsOf(node, chain);
  return new Set(compared).size < compared.length;
}

function isPartialSwitch({ caseBlock: { clauses } }) {
  const members = clauses.filter((clause) => ts.isCaseClause(clause) && isMember(textOf(clause.expression)));
  return members.length > 1 && clauses.some(ts.isDefaultClause);
}

const isSqlList = (text) =>
  SQL_LISTS.flatMap((pattern) => text.match(pattern) ?? []).some(
    (list) => list.match(/(?<=['{,])\w+(?=[',}])/g).filter(isMember).length > 1,
  );

const isTemplate = (node) =>
  node.kind >= SyntaxKind.NoSubstitutionTemplateLiteral && node.kind <= SyntaxKind.TemplateTail;

function isList(node) {
  if (ts.isArrayLiteralExpression(node)) return isListed(node);
  if (ts.isObjectLiteralExpression(node)) return isPartial(node);
  if (ts.isBinaryExpression(node)) return isChain(node);
  if (ts.isSwitchStatement(node)) return isPartialSwitch(node);
  return isTemplate(node) && isSqlList(node.text);
}

/** Lists the lines that list members, and the excuses before nothing. */
function findProblems(file) {
  const source = parse(file);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const lists = [];
  const excuses = new Map();
  const visit = (node, excuse) => {
    const comments = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
    const own = comments.find(({ pos, end }) => EXCUSE.test(source.text.slice(pos, end)));
    if (own !== undefined && !excuses.has(own.pos)) excuses.set(own.pos, false);
    const nearest = own?.pos ?? excuse;
    if (isList(node)) {
      if (nearest === undefined) lists.push(lineOf(node.getStart()));
      else excuses.set(nearest, true);
    }
    ts.forEachChild(node, (child) => visit(child, nearest));
  };
  visit(source, undefined);
  const unneeded = [...excuses].filter(([, isNeeded]) => !isNeeded).map(([position]) => lineOf(position));
  return [
    ...[...new Set(lists)].map((line) => `${file}:${line} lists members of a closed set: see scripts/closed-sets.mjs`),
    ...unneeded.map((line) => `${file}:${line} excuses no list`),
  ];
}

const problems = PROGRAMS.filter((program) => existsSync(path.join(FOLDER, program)))
  .flatMap((program) =>
    readdirSync(path.join(FOLDER, program), { recursive: true }).map((file) =>
      path.posix.join(program, ...file.split(path.sep)),
    ),
  )
  .filter((file) => /\.tsx?$/.test(file) && !/^src\/basics\/|\/generated\//.test(file))
  .flatMap(findProblems);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
