import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.mjs';

/** What this command keeps between runs. */
export const CACHE = path.join(ROOT, '.cache', 'kubernetes');
export const BIN = path.join(CACHE, 'bin');

const VERSION = '1.34.4';
/** Packages of the module k8s.io/kubernetes, and two that it lacks, built against the same libraries. */
const PACKAGES = {
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  kubelet: 'k8s.io/kubernetes/cmd/kubelet',
  'kube-proxy': 'k8s.io/kubernetes/cmd/kube-proxy',
  'metrics-server': 'sigs.k8s.io/metrics-server/cmd/metrics-server',
};
const METRICS_SERVER = 'v0.8.0';
/** Enforces network policies. It has older libraries, and is built with its own. */
const KUBE_ROUTER = 'github.com/cloudnativelabs/kube-router/v2/cmd/kube-router@v2.1.0';

const ENV = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod' };

/** Builds Kubernetes from its Go modules, once; the first time takes twenty minutes of one processor. */
export function buildKubernetes() {
  mkdirSync(BIN, { recursive: true });
  const missing = Object.entries(PACKAGES).filter(([name]) => !existsSync(path.join(BIN, name)));
  if (missing.length > 0) {
    console.log(`Building Kubernetes ${VERSION} from its Go modules, once; this takes about twenty minutes…`);
    const folder = writeModule();
    const go = (...args) => execFileSync('go', args, { cwd: folder, env: ENV, stdio: 'inherit' });
    go('mod', 'tidy', '-e');
    const [major, minor] = VERSION.split('.');
    const known = { gitVersion: `v${VERSION}`, gitMajor: major, gitMinor: minor };
    const named = Object.entries(known).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
    for (const [name, from] of missing)
      go('build', '-ldflags', `-s -w ${named.join(' ')}`, '-o', path.join(BIN, name), from);
  }
  if (!existsSync(path.join(BIN, 'kube-router')))
    execFileSync('go', ['install', KUBE_ROUTER], { cwd: CACHE, env: { ...ENV, GOBIN: BIN }, stdio: 'inherit' });
}

/** A module that takes the libraries of Kubernetes at the version that Kubernetes itself replaces them with. */
function writeModule() {
  const folder = path.join(CACHE, 'module');
  mkdirSync(folder, { recursive: true });
  const options = { cwd: CACHE, encoding: 'utf8', env: ENV };
  const { GoMod } = JSON.parse(
    execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${VERSION}`], options),
  );
  const theirs = readFileSync(GoMod, 'utf8');
  const staged = new Set([...theirs.matchAll(/^\s+(k8s\.io\/[\w.-]+) v0\.0\.0(?:\s|$)/gm)].map(([, name]) => name));
  const replaced = [...staged].map((name) => `\t${name} => ${name} v0${VERSION.slice(1)}`);
  const wanted = [`\tk8s.io/kubernetes v${VERSION}`, `\tsigs.k8s.io/metrics-server ${METRICS_SERVER}`];
  const lines = [
    'module kubernetes.test',
    `go ${/^go (\S+)/m.exec(theirs)?.[1]}`,
    `require (\n${wanted.join('\n')}\n)`,
    `replace (\n${replaced.join('\n')}\n)`,
  ];
  writeFileSync(path.join(folder, 'go.mod'), `${lines.join('\n\n')}\n`);
  const imports = Object.values(PACKAGES).map((name) => `import _ "${name}"`);
  writeFileSync(path.join(folder, 'tools.go'), `//go:build tools\n\npackage tools\n\n${imports.join('\n')}\n`);
  return folder;
}
