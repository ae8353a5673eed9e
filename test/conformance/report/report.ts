import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestCase, TestProject } from 'vitest/node';
import { ROOT } from '../../../local/src/services.ts';
import { RULES } from '../rules.ts';
import { compare, writeDocument } from './document.ts';

/** After a run of all conformance tests, checks that every rule has a test and that the document agrees. */

const TESTS = path.join(ROOT, 'test', 'conformance');
/** The report has tests of its own, which prove no rule. */
const isConformance = (file: string) => file.startsWith(TESTS) && !file.startsWith(import.meta.dirname);
const DOCUMENT = path.join(TESTS, 'conformance.md');

let project: TestProject;

export function setup(given: TestProject): void {
  project = given;
}

export function teardown(): void {
  const modules = project.vitest.state.getTestModules().filter(({ moduleId }) => isConformance(moduleId));
  const cases = modules.flatMap((module) => [...module.children.allTests()]);
  const ran = new Set(modules.map(({ moduleId }) => moduleId));
  const whole = testFiles().every((file) => ran.has(file)) && cases.every((one) => one.result().state !== 'skipped');
  if (!whole) return; // Only a part of the tests ran.

  const { proofs, faults } = compare(
    RULES,
    cases.map((one) => ({ name: one.name, file: fileOf(one), passed: one.result().state === 'passed' })),
  );
  const document = writeDocument(RULES, proofs);
  if (process.env.CONFORMANCE_REPORT === '1') writeFileSync(DOCUMENT, document);
  else if (readFileSync(DOCUMENT, 'utf8') !== document) {
    faults.push('test/conformance/conformance.md differs from this run; its first lines say how to write it again');
  }
  if (faults.length === 0) return;
  console.error(
    `The conformance tests and their catalogue differ:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
  );
  process.exitCode = 1;
}

const testFiles = () =>
  readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join(TESTS, name))
    .filter(isConformance);

const fileOf = (one: TestCase) => path.relative(TESTS, one.module.moduleId).replaceAll(path.sep, '/');
