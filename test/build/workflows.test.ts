import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';

const FOLDER = path.join(ROOT, '.github', 'workflows');

interface Job {
  readonly name: string;
  readonly text: string;
}

/** The jobs of a workflow, without comments. */
function listJobs(text: string): Job[] {
  const jobs = text.replace(/^\s*#.*\n/gm, '').split(/^jobs:\n/m)[1] ?? '';
  return jobs
    .split(/^ {2}(?=[\w-]+:\n)/m)
    .filter((block) => block.trim() !== '')
    .map((block) => ({ name: block.slice(0, block.indexOf(':')), text: block }));
}

/** Code of this repository or of a dependency: each package that `npm ci` installs could be a hostile one. */
const RUNS_CODE =
  /actions\/checkout|build-push-action|uses: \.\/|\bnpm (?!publish --ignore-scripts )|\bnpx\b|\bnode\b(?!-version|:)(?! ?@)/;
const HAS_RIGHTS = /\bwrite(-all)?\b|\bsecrets\b|github\.token|GITHUB_TOKEN|id-token|environment:/;

/** The shell scripts of a job, and those of actions that take one. */
const listScripts = (job: string): string[] =>
  [...job.matchAll(/^( *)(?:- )?(?:run|script): *(?:[|>].*\n((?:\1 {2,}.*\n|\s*\n)*)|(.*))/gm)].map(
    ([, , block, line]) => block ?? line ?? '',
  );

const findFaults = (workflow: string): string[] => [
  ...(/^permissions: \{ contents: read \}$/m.test(workflow)
    ? []
    : ['jobs have more than the right to read by default']),
  ...listJobs(workflow).flatMap(({ name, text }) => [
    ...(RUNS_CODE.test(text.replace(/actions\/setup-node\S*/g, '')) && HAS_RIGHTS.test(text)
      ? [`${name} runs code, and has rights or secrets`]
      : []),
    ...((text.match(/actions\/checkout/g)?.length ?? 0) > (text.match(/persist-credentials: false/g)?.length ?? 0)
      ? [`${name} leaves the token of its checkout in .git`]
      : []),
    // Its value may be a dependency's, and the shell would run it: it belongs into `env`.
    ...(listScripts(text).some((script) => script.includes('${{')) ? [`${name} pastes a value into a script`] : []),
  ]),
];

const read = (name: string) => readFileSync(path.join(FOLDER, name), 'utf8');

test.for(readdirSync(FOLDER))('%s gives no job that runs code the right to publish, or a secret', (name) => {
  expect(listJobs(read(name)).length).toBeGreaterThan(1);
  expect(findFaults(read(name))).toEqual([]);
});
