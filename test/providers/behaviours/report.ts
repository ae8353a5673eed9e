import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../../../local/src/services.ts';
import { findFaults, provingFiles, writeBehaviours } from './document.ts';
import { BEHAVIOURS } from './index.ts';

/** After a run of all proving tests, checks that every behaviour has a proof and that the document agrees. */

const TESTS = path.join(ROOT, 'test');
const DOCUMENT = path.join(ROOT, 'docs', 'provider-behaviours.md');

let project: TestProject;

export function setup(given: TestProject): void {
  project = given;
}

export function teardown(): void {
  const files = provingFiles(BEHAVIOURS);
  const proving = new Set(files.filter((name) => existsSync(path.join(TESTS, `${name}.test.ts`))));
  const modules = project.vitest.state.getTestModules().filter(({ moduleId }) => proving.has(nameOf(moduleId)));
  const cases = modules.flatMap((module) => [...module.children.allTests()]);
  const isWhole = modules.length === proving.size && cases.every((one) => one.result().state !== 'skipped');
  if (!isWhole) return; // Only a part of the tests ran.

  const tests = cases.map((one) => ({
    name: `${nameOf(one.module.moduleId)} > ${one.fullName}`,
    passed: one.result().state === 'passed',
  }));
  const faults = findFaults(BEHAVIOURS, tests);
  const document = writeBehaviours(BEHAVIOURS, tests);
  if (process.env.CONFORMANCE_REPORT === '1') writeFileSync(DOCUMENT, document);
  else if (readFileSync(DOCUMENT, 'utf8') !== document) {
    faults.push('docs/provider-behaviours.md differs from this run; its first lines say how to write it again');
  }
  if (faults.length === 0) return;
  console.error(`The behaviours of providers and their tests differ:\n${faults.map((one) => `  - ${one}`).join('\n')}`);
  process.exitCode = 1;
}

const nameOf = (file: string) =>
  path
    .relative(TESTS, file)
    .replaceAll(path.sep, '/')
    .replace(/\.test\.ts$/, '');
