import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestCase, TestProject } from 'vitest/node';
import { ROOT } from '../../src/local/services.ts';
import { RULES } from '../conformance/rules.ts';

/** At the end of a run of all conformance tests: does every rule have a test, and does the document say so? */

const TESTS = path.join(ROOT, 'test', 'conformance');
const DOCUMENT = path.join(ROOT, 'docs', 'conformance.md');

interface Proof {
  readonly file: string;
  readonly guarantee: string;
  readonly passed: boolean;
}

let project: TestProject;

export function setup(given: TestProject): void {
  project = given;
}

export function teardown(): void {
  const modules = project.vitest.state.getTestModules().filter(({ moduleId }) => moduleId.startsWith(TESTS));
  const cases = modules.flatMap((module) => [...module.children.allTests()]);
  const ran = new Set(modules.map(({ moduleId }) => moduleId));
  const whole = testFiles().every((file) => ran.has(file)) && cases.every((one) => one.result().state !== 'skipped');
  if (!whole) return; // Somebody runs a part.

  const faults: string[] = [];
  const proofs = new Map<string, Proof[]>(Object.keys(RULES).map((place) => [place, []]));
  for (const one of cases) {
    const [places = '', ...guarantee] = one.name.split(': ');
    for (const place of places.split(' + ')) {
      const known = proofs.get(place);
      if (known === undefined) faults.push(`"${one.name}" names no rule: "${place}"`);
      else known.push({ file: fileOf(one), guarantee: guarantee.join(': '), passed: one.result().state === 'passed' });
    }
  }
  for (const [place, found] of proofs) if (found.length === 0) faults.push(`"${place}" has no test`);

  const document = write(proofs);
  if (process.env.CONFORMANCE_REPORT === '1') writeFileSync(DOCUMENT, document);
  else if (read() !== document) faults.push('docs/conformance.md is not what this run shows; see its first lines');
  if (faults.length === 0) return;
  console.error(
    `The conformance tests and their catalogue differ:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
  );
  process.exitCode = 1;
}

const testFiles = () =>
  readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join(TESTS, name));

const fileOf = (one: TestCase) => path.relative(TESTS, one.module.moduleId).replaceAll(path.sep, '/');

function read(): string | undefined {
  try {
    return readFileSync(DOCUMENT, 'utf8');
  } catch {
    return undefined;
  }
}

const PARTS = {
  '2': 'Resources and fields',
  '3': 'States',
  '4': 'Operations',
  '5': 'Authentication',
  '7': 'Errors',
  '8': 'Limits',
  D: 'What this service decides',
} as const;

function write(proofs: ReadonlyMap<string, readonly Proof[]>): string {
  const count = (passed: boolean) =>
    [...proofs.values()].filter((found) => found.length > 0 && found.every((proof) => proof.passed) === passed).length;
  const lines = [
    '# Conformance',
    '',
    'Every rule a caller may rely on, the tests that prove it over HTTP, and what they showed in the run this was written',
    'from: all of `npm test` with `CONFORMANCE_REPORT=1`. Without that, the run compares: a rule without a test, a test',
    'without a rule, and a line here that is no longer so all fail it.',
    '',
    `${proofs.size} rules: ${count(true)} held, ${proofs.size - count(true)} not.`,
  ];
  for (const [part, title] of Object.entries(PARTS)) {
    lines.push(
      '',
      `## ${part === 'D' ? '' : `${part} `}${title}`,
      '',
      '| Rule | What it says | Tests | Result |',
      '|---|---|---|---|',
    );
    for (const [place, found] of proofs) {
      if (!place.startsWith(`${part} `)) continue;
      const tests = found.map(({ file, guarantee }) => `\`${file}\`: ${guarantee}`).sort();
      const held = found.length > 0 && found.every(({ passed }) => passed);
      const cells = [place, RULES[place] ?? '', tests.join('<br>'), held ? 'held' : '**not held**'];
      lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}
