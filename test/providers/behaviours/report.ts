import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestCase, TestProject } from 'vitest/node';
import { ROOT } from '../../../local/src/services.ts';
import { BY_PROVIDER, SHARED } from '../../kit/behaviours.ts';
import { readProofs } from '../../kit/proofs.ts';
import { findFaults, type RunTest, writeBehaviours } from './document.ts';

/** After a run of all proving tests, checks that every behaviour has a proof and that the document agrees. */

const TESTS = path.join(ROOT, 'test');
const DOCUMENT = path.join(ROOT, 'test', 'providers', 'provider-behaviours.md');
const BEHAVIOURS = { byProvider: BY_PROVIDER, shared: SHARED };

let project: TestProject;

export function setup(given: TestProject): void {
  project = given;
}

export function teardown(): void {
  const proving = new Set(listProvingFiles());
  const modules = project.vitest.state.getTestModules().filter(({ moduleId }) => proving.has(nameOf(moduleId)));
  const cases = modules.flatMap((module) => [...module.children.allTests()]);
  const isWhole = modules.length === proving.size && cases.every((one) => one.result().state !== 'skipped');
  if (!isWhole) return; // Only a part of the tests ran.

  const tests = cases.map(readTest).sort((one, other) => (one.file < other.file ? -1 : Number(one.file > other.file)));
  const faults = findFaults(BEHAVIOURS, tests);
  const document = writeBehaviours(BEHAVIOURS, tests);
  if (process.env.CONFORMANCE_REPORT === '1') writeFileSync(DOCUMENT, document);
  else if (readFileSync(DOCUMENT, 'utf8') !== document) {
    faults.push(
      'test/providers/provider-behaviours.md differs from this run; its first lines say how to write it again',
    );
  }
  if (faults.length === 0) return;
  console.error(`The behaviours of providers and their tests differ:\n${faults.map((one) => `  - ${one}`).join('\n')}`);
  process.exitCode = 1;
}

/** The test files that call `proves` or `provesAt`. */
const listProvingFiles = () =>
  readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && /\bproves(At)?\(/.test(readFileSync(path.join(TESTS, file), 'utf8')))
    .map((file) => nameOf(path.join(TESTS, file)));

function readTest(test: TestCase): RunTest {
  const groups: string[] = [];
  for (let { parent } = test; parent.type === 'suite'; parent = parent.parent) groups.unshift(parent.name);
  return {
    file: nameOf(test.module.moduleId),
    path: [...groups, test.name],
    passed: test.result().state === 'passed',
    proofs: readProofs(test.meta()),
  };
}

const nameOf = (file: string) =>
  path
    .relative(TESTS, file)
    .replaceAll(path.sep, '/')
    .replace(/\.test\.ts$/, '');
