// Finds exports that nothing imports, files that no program and no test loads, and packages that nothing uses. A test alone
// is not a user: an export that only tests need says `@internal` in its docstring. Usage: node scripts/dead-code.mjs [ROOT]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const SOURCE = /\.(tsx?|mjs|cjs)$/;
/** Programs, modules that Temporal loads from the build, and configuration files. Their exports have no importer. */
const ENTRY = [
  /^(src|(console|sandbox|local)\/src)\/(.*\/)?main\.tsx?$/,
  /^src\/workflows\/(index|versioned|trace-context)\.ts$/,
  /^(scripts|bench)\/|^test\/(.*\/)?main\.ts$/,
  /^examples\/[^/]+\/([^/]+\.mjs|src\/main\.ts)$/,
  /^clients\//,
  /^[^/]+\.(ts|cjs)$/,
  /\.(test|contract|s3|faults|failover|issuers|config)\.tsx?$/,
];
const TEST = /^(examples\/[^/]+\/)?test\//;
const GENERATED = /\/generated\/|\.d\.ts$/;
/** Type declarations, and packages that another one needs beside it (`peerDependencies`). */
const LOADED_BY_OTHERS = /^(@types\/|rxjs$)/;

/** Reads a module: the names it exports, the names it takes from each file it loads (`*` for all), and its packages. */
function readModule(file) {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const module = { exports: new Map(), loads: new Map(), packages: new Set(), text };
  const load = (target, name) => module.loads.set(target, (module.loads.get(target) ?? new Set()).add(name));
  const take = (specifier, name) => {
    if (specifier.startsWith('.')) load(path.join(path.dirname(file), specifier), name);
    else module.packages.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
  };
  const visit = (node) => {
    if (ts.isImportTypeNode(node)) take(node.argument.literal.text, node.qualifier?.getText().split('.')[0] ?? '*');
    else if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return readDeclaration(node, module, take);
    // Any path in a text loads the whole file: import('…'), a set-up file, a module with workflows.
    if (ts.isStringLiteralLike(node)) {
      if (SOURCE.test(node.text)) for (const from of [path.dirname(file), '.']) load(path.join(from, node.text), '*');
      if (ts.isCallExpression(node.parent) && !node.text.startsWith('.')) take(node.text, '*');
    }
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  for (const statement of source.statements) {
    visit(statement);
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      for (const name of namesIn(statement)) module.exports.set(name, statement);
    }
  }
  return module;
}

function readDeclaration(node, module, take) {
  const specifier = node.moduleSpecifier?.text;
  const elements = (node.importClause?.namedBindings ?? node.exportClause)?.elements;
  if (specifier !== undefined) {
    const hasAll = elements === undefined && (node.importClause?.namedBindings || ts.isExportDeclaration(node));
    take(specifier, hasAll ? '*' : node.importClause?.name ? 'default' : '');
    for (const one of elements ?? []) take(specifier, (one.propertyName ?? one.name).text);
  }
  if (ts.isExportDeclaration(node)) for (const { name } of elements ?? []) module.exports.set(name.text, node);
}

function namesIn(statement) {
  const flatten = (name) => name.elements?.flatMap((one) => flatten(one.name)) ?? [name.text];
  const declared = statement.declarationList?.declarations ?? [statement];
  return declared.flatMap(({ name }) => (name === undefined ? ['default'] : flatten(name)));
}

const files = ['src', 'console', 'sandbox', 'local', 'test', 'bench', 'scripts', 'examples', 'clients', '.']
  .filter((folder) => existsSync(path.join(ROOT, folder)))
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: folder !== '.' }).map((name) => path.join(folder, name)),
  )
  // What is in `tree` runs in a copy of the repository.
  .filter((file) => SOURCE.test(file) && !/(^|\/)(node_modules|dist)\/|^test\/fourth\/tree\//.test(file));
const modules = new Map(files.map((file) => [file, readModule(file)]));

function collectTaken(isCounted) {
  const taken = new Map(files.map((file) => [file, new Set()]));
  for (const [file, { loads }] of modules)
    if (isCounted(file)) for (const [target, names] of loads) for (const name of names) taken.get(target)?.add(name);
  return taken;
}
const takenByPrograms = collectTaken((file) => !TEST.test(file));
const takenByAll = collectTaken(() => true);
const loaded = new Set(files.filter((file) => ENTRY.some((pattern) => pattern.test(file))));
for (const file of loaded)
  for (const target of modules.get(file).loads.keys()) if (modules.has(target)) loaded.add(target);

const isInternal = (statement) => ts.getJSDocTags(statement).some(({ tagName }) => tagName.text === 'internal');
/** An exported type may name part of an exported signature. It is dead only if its own file does not use it either. */
const isPartOfSignature = (name, statement, text) =>
  (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) &&
  text.match(new RegExp(`\\b${name}\\b`, 'g')).length > 1;

const problems = [];
for (const [file, { exports, text }] of modules) {
  if (GENERATED.test(file)) continue;
  if (!loaded.has(file)) problems.push(`${file}: no program and no test loads this file.`);
  const all = takenByAll.get(file);
  const taken = TEST.test(file) ? all : takenByPrograms.get(file);
  if (ENTRY.some((pattern) => pattern.test(file)) || taken.has('*')) continue;
  for (const [name, statement] of exports) {
    if (taken.has(name) || isPartOfSignature(name, statement, text) || (isInternal(statement) && all.has(name)))
      continue;
    problems.push(`${file}: ${all.has(name) ? 'only a test' : 'nothing'} imports ${name}.`);
  }
}

const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const imported = new Set([...modules.values()].flatMap(({ packages }) => [...packages]));
const texts = [...modules.values()].map(({ text }) => text).join('\n');
for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
  const segments = `'${name.split('/').join("', '")}'`; // As in path.join('node_modules', '@scope', 'name').
  const isUsed = imported.has(name) || LOADED_BY_OTHERS.test(name) || texts.includes(segments);
  if (!isUsed) problems.push(`package.json: nothing uses ${name}.`);
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
