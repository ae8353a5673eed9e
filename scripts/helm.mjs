// `npm run test:helm`: lints the chart in deploy/helm, renders it with every set of values in its folder `ci`, and checks what it
// renders against the schemas of Kubernetes. Needs `helm` on the PATH, or Go to build it once; and Python 3 with venv.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findHelm } from './find-helm.mjs';
import { ROOT } from './run.mjs';

const KUBERNETES_VALIDATE = 'kubernetes-validate==1.37.0';
const KUBERNETES_VERSIONS = ['1.29', '1.37'];
/** Resources of the Prometheus operator: kubernetes-validate knows Kubernetes' own only. */
const CUSTOM = ['ServiceMonitor', 'PrometheusRule'];

const CACHE = path.join(ROOT, '.cache', 'helm');
const CHART = path.join(ROOT, 'deploy', 'helm', 'social-accounts');
const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1e8, stdio: ['pipe', 'pipe', 'inherit'], ...options });

function findValidator() {
  const program = path.join(CACHE, 'python', 'bin', 'kubernetes-validate');
  if (!existsSync(program)) {
    run('python3', ['-m', 'venv', path.join(CACHE, 'python')]);
    run(path.join(CACHE, 'python', 'bin', 'pip'), ['install', '--quiet', KUBERNETES_VALIDATE]);
  }
  return program;
}

/** Whether rendering with `values` is refused. */
function isRefused(helm, values) {
  try {
    run(helm, ['template', 'accounts', CHART, '--kube-version', '1.37', ...values], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return false;
  } catch {
    return true;
  }
}

mkdirSync(CACHE, { recursive: true });
const helm = findHelm();
const validator = findValidator();
const least = path.join(CHART, 'ci', 'least-values.yaml');
let failed = 0;
const check = (name, passed) => {
  console.log(`${passed ? 'ok  ' : 'FAIL'}  ${name}`);
  if (!passed) failed += 1;
};

for (const file of readdirSync(path.join(CHART, 'ci')).sort()) {
  const values = path.join(CHART, 'ci', file);
  run(helm, ['lint', '--strict', '--kube-version', KUBERNETES_VERSIONS[0], CHART, '--values', values]);
  const counts = KUBERNETES_VERSIONS.map((version) => {
    const options = ['--values', values, '--namespace', 'accounts', '--kube-version', version];
    const rendered = run(helm, ['template', 'accounts', CHART, ...options]);
    const documents = rendered.split(/^---$/m).filter((text) => /^kind:/m.test(text));
    const native = documents.filter((text) => !CUSTOM.some((kind) => text.includes(`\nkind: ${kind}\n`)));
    run(validator, ['--strict', '--kubernetes-version', version, '-'], { input: native.join('---\n') });
    return `${documents.length} resources, ${native.length} of them valid in Kubernetes ${version}`;
  });
  check(
    `${file}: ${counts.join('; ')}`,
    counts.every((count) => !count.startsWith('0')),
  );
}
check('no values at all are refused', isRefused(helm, []));
const wrong = [
  'connectUrl=http://connect.example.com',
  'secrets.api=',
  'temporal.address=nowhere',
  'replicas=3',
  'journal.bucket=/journal',
  'journal.existingClaim=journal,journal.bucket=s3://journal',
];
for (const value of wrong) check(`${value} is refused`, isRefused(helm, ['--values', least, '--set', value]));
process.exitCode = failed === 0 ? 0 : 1;
