// `npm run test:helm`: lints the chart in deploy/helm, renders it with every set of values in its folder `ci`, and checks the
// result against the schemas of Kubernetes and of the Prometheus operator. Needs Go, and Python 3 with venv.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findHelm } from './find-helm.mjs';
import { readOperatorSchemas } from './operator-schemas.mjs';
import { ROOT } from './run.mjs';

const KUBERNETES_VALIDATE = 'kubernetes-validate==1.37.0';
const [OLDEST, NEWEST] = ['1.29', '1.37'];

const CACHE = path.join(ROOT, '.cache', 'helm');
const CHART = path.join(ROOT, 'deploy', 'helm', 'social-accounts');
const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1e8, stdio: ['pipe', 'pipe', 'inherit'], ...options });

/** Finds kubernetes-validate, or installs it once, and puts the schemas of custom resources beside its own. */
function findValidator() {
  const bin = path.join(CACHE, 'python', 'bin');
  const program = path.join(bin, 'kubernetes-validate');
  if (!existsSync(program)) {
    run('python3', ['-m', 'venv', path.join(CACHE, 'python')]);
    run(path.join(bin, 'pip'), ['install', '--quiet', KUBERNETES_VALIDATE]);
  }
  const installed = run(path.join(bin, 'python'), ['-c', 'import kubernetes_validate as v; print(v.__path__[0])']);
  const schemas = path.join(installed.trim(), 'kubernetes-json-schema');
  const folders = readdirSync(schemas).filter((name) => name.endsWith('-strict'));
  for (const [name, schema] of readOperatorSchemas())
    for (const folder of folders) writeFileSync(path.join(schemas, folder, name), JSON.stringify(schema));
  return program;
}

/** Checks resources strictly: a field or a kind that no schema names is a complaint. */
function validate(validator, resources, version) {
  const options = ['--strict', '--kubernetes-version', version, '-'];
  const { stdout } = spawnSync(validator, options, {
    encoding: 'utf8',
    input: resources,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  const complaints = lines.filter((line) => !line.startsWith('INFO '));
  return { validCount: lines.length - complaints.length, complaints };
}

/** Finds keys without a value in YAML text, which the schemas accept as null: `ingress:` with nothing below it. */
function findEmptyKeys(text) {
  const lines = text.split('\n').filter((line) => /\S/.test(line) && !/^\s*#/.test(line));
  const isBelow = (key, next = '') => next.search(/\S/) > key.search(/\S/) || /^\s*- /.test(next);
  return lines.filter((line, index) => /^[^'"]*[\w.]:\s*$/.test(line) && !isBelow(line, lines[index + 1]));
}

const render = (helm, version, values, options) =>
  run(helm, ['template', 'accounts', CHART, '--namespace', 'accounts', '--kube-version', version, ...values], options);

/** Why rendering with `values` is refused; undefined if it is not. */
function findRefusal(helm, values) {
  try {
    render(helm, NEWEST, values, { stdio: ['pipe', 'pipe', 'pipe'] });
    return undefined;
  } catch (error) {
    return String(error.stderr);
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
  run(helm, ['lint', '--strict', '--kube-version', OLDEST, CHART, '--values', values]);
  for (const version of [OLDEST, NEWEST]) {
    const rendered = render(helm, version, ['--values', values]);
    const documents = rendered.split(/^---$/m).filter((text) => /^kind:/m.test(text));
    const empty = findEmptyKeys(rendered);
    if (empty.length > 0) check(`${file} gives every key a value: ${empty.join('; ')}`, false);
    const { validCount, complaints } = validate(validator, rendered, version);
    for (const complaint of complaints) console.error(complaint);
    const name = `${file}: ${validCount} of ${documents.length} resources are valid in Kubernetes ${version}`;
    check(name, validCount > 0 && validCount === documents.length);
  }
}
const everything = render(helm, NEWEST, ['--values', path.join(CHART, 'ci', 'everything-values.yaml')]);
for (const [right, misspelt] of [
  ['sourceLabels:', 'sourceLabel:'],
  ['expr:', 'expression:'],
  ['kind: ServiceMonitor', 'kind: ServiceMonitors'],
]) {
  const { complaints } = validate(validator, everything.replace(right, misspelt), NEWEST);
  check(`${misspelt} is refused in a custom resource`, complaints.length === 1);
}
const links = (rules) =>
  rules.match(/^ +runbook_url: https:\/\/git\.example\.com\/\S+\/docs\/runbook\.md#[a-z-]+$/gm)?.length ?? 0;
check(
  'each alert carries the whole address of its section',
  links(everything) === everything.match(/- alert: /g)?.length,
);
check('no values at all are refused', findRefusal(helm, []) !== undefined);

/** The resources that a worker's build renders, by kind and name. */
function listResources(...values) {
  const rendered = render(helm, NEWEST, ['--values', least, ...values.flatMap((value) => ['--set', value])]);
  return new Map(
    rendered.split(/^---$/m).flatMap((text) => {
      const [, kind] = /^kind: (\S+)$/m.exec(text) ?? [];
      const [, name] = /^metadata:\n {2}name: (\S+)$/m.exec(text) ?? [];
      return kind === undefined || name === undefined ? [] : [[`${kind}/${name}`, text]];
    }),
  );
}
const [unversioned, first, second] = [
  listResources(),
  listResources('worker.buildId=0.1.0'),
  listResources('worker.buildId=0.2.0'),
];
const workersOf = (resources) => [...resources.keys()].filter((name) => /^Deployment.*-worker/.test(name));
const FIRST = 'Deployment/accounts-social-accounts-worker-0-1-0';
const KEPT = 'helm.sh/resource-policy: keep';
const PROMOTE = 'Job/accounts-social-accounts-promote';
check('each build has a Deployment of its own', workersOf(first).join() === FIRST && !second.has(FIRST));
check('Helm leaves the Deployment of an earlier build', first.get(FIRST)?.includes(KEPT) === true);
check('unversioned workers are replaced in place', !unversioned.get(workersOf(unversioned)[0])?.includes(KEPT));
check('a Job promotes a build', second.get(PROMOTE)?.includes('args: [workers, promote, --build, "0.2.0"') === true);
check('no Job promotes unversioned workers', !unversioned.has(PROMOTE));
const MAINTENANCE = 'CronJob/accounts-social-accounts-maintenance';
const maintained = listResources('secrets.maintenance=accounts-maintenance').get(MAINTENANCE);
check('maintenance has a Secret of its own', maintained?.includes('secretName: accounts-maintenance') === true);
check('maintenance never runs by itself', maintained?.includes('\n  suspend: true\n') === true);
check('without its Secret there is no maintenance', !unversioned.has(MAINTENANCE));
check(
  'a build scales and is drained by itself',
  ['HorizontalPodAutoscaler', 'PodDisruptionBudget'].every((kind) => first.has(FIRST.replace('Deployment', kind))),
);
/** Every pod of a rendered chart. */
const podsOf = (rendered) => rendered.split(/^---$/m).filter((text) => text.includes('containers:'));
const openshift = podsOf(
  render(helm, NEWEST, [
    ...['--values', path.join(CHART, 'ci', 'everything-values.yaml'), '--api-versions', 'security.openshift.io/v1'],
  ]),
);
const IDS = /runAsUser|runAsGroup|fsGroup/;
check('OpenShift chooses user and group', openshift.length >= 4 && openshift.every((pod) => !IDS.test(pod)));
check(
  'a value adds to what pods may do',
  openshift.every((pod) => pod.includes('supplementalGroups:')),
);
const pods = podsOf(everything);
check(
  'elsewhere the image has the user, and volumes its group',
  pods.every((pod) => /^ +fsGroup: 1000$/m.test(pod)),
);
check(
  'no Service of the namespace sets a variable',
  pods.every((pod) => pod.includes('enableServiceLinks: false')),
);
check('nothing listens in IPv4 alone', !/(?<![\d.])0\.0\.0\.0(?!\/)/.test(everything));
const api = pods.find((pod) => pod.includes('args: [api]'));
check(
  'the api knows its operator',
  (api?.match(/name: OPERATOR_(NAME|CONTACT|PRIVACY_URL|TERMS_URL),/g) ?? []).length === 4,
);
check(
  'Temporal may have an IPv6 address',
  findRefusal(helm, ['--values', least, '--set', 'temporal.address=[fd00::5]:7233']) === undefined,
);
const budget = unversioned.get('PodDisruptionBudget/accounts-social-accounts-api');
check('pods that are not ready may be evicted', budget?.includes('unhealthyPodEvictionPolicy: AlwaysAllow') === true);
const wrong = [
  'metrics.prometheusRule.runbookUrl=docs/runbook.md',
  'connectUrl=http://connect.example.com',
  'secrets.api=',
  'temporal.address=nowhere',
  'replicas=3',
  'worker.buildId=-1.0',
  'journal.bucket=/journal',
  'adminUrl=https://example.com/tools',
];
const refusalOf = (value) => findRefusal(helm, ['--values', least, '--set', value]);
for (const value of wrong) check(`${value} is refused`, refusalOf(value) !== undefined);
/** Values that contradict each other, and the sentence that reports it. */
const contradictions = {
  'ingress.enabled=true,ingress.host=other.example.com':
    'ingress.host is other.example.com, but connectUrl leads browsers to connect.example.com.',
  'worker.autoscaling.maxReplicas=1': 'worker.autoscaling.minReplicas is 2, more than its maxReplicas 1.',
  'temporal.tls.enabled=false':
    'temporal.tls.enabled is false, so allowUnencryptedHosts must name temporal-frontend.temporal.svc.cluster.local, or no process starts.',
  'temporal.tls.enabled=false,temporal.apiKeySecret=key,allowUnencryptedHosts=temporal-frontend.temporal.svc.cluster.local':
    'temporal.tls.enabled is false, but a certificate or an API key is given, which only TLS can carry.',
  'temporal.tls.clientSecret=client,temporal.apiKeySecret=key':
    'temporal.tls.clientSecret and temporal.apiKeySecret exclude each other: Temporal takes a certificate or a key.',
  'journal.existingClaim=journal,journal.bucket=s3://journal':
    'journal.existingClaim and journal.bucket exclude each other.',
  'journal.endpoint=https://objects.example.com':
    'journal.endpoint and journal.credentials are for a bucket, but journal.bucket is empty.',
  'admin.oidc.ADMIN_OIDC_ISSUER=https://login.example.com':
    'admin.oidc is set, but adminUrl is empty: an issuer sends operators back to that address.',
  'adminUrl=https://console.example.com,admin.oidc.ADMIN_OIDC_CLIENT_SECRET=secret':
    'admin.oidc has ADMIN_OIDC_CLIENT_SECRET: put it into the Secret of secrets.api, and its name into secrets.extraKeys.api.',
  'extraEnv.DATABASE_URL=postgres://db': 'extraEnv has DATABASE_URL, which is a secret: put it into a Secret.',
  'extraEnv.TRUSTED_PROXIES=2': 'extraEnv has TRUSTED_PROXIES, which another value of this chart sets.',
  'metrics.enabled=false,metrics.prometheusRule.enabled=true':
    'metrics.enabled is false, but metrics.serviceMonitor or metrics.prometheusRule is enabled.',
};
for (const [value, sentence] of Object.entries(contradictions)) {
  const [line = ''] = refusalOf(value)?.split('\n') ?? [];
  check(`${value} is refused: ${sentence}`, line.endsWith(`): ${sentence}`));
}
process.exitCode = failed === 0 ? 0 : 1;
