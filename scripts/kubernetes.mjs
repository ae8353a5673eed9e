// `npm run test:kubernetes`: builds the images, brings up a Kubernetes of one node, installs the chart by its README as a production
// deployment, and uses, upgrades and breaks it: see test/kubernetes. `-- -t NAME`: only the tests with this name. Needs Linux, root,
// Podman, Go and the programs below; Kubernetes is built once, in about twenty minutes. With KUBECONFIG it uses that cluster, gives
// it the images with the command in LOAD_IMAGES, such as `kind load image-archive`, and reaches it at NODE_ADDRESS.
import './build.mjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findEngine } from './containers/engine.mjs';
import { findHelm } from './find-helm.mjs';
import { saveImages } from './kubernetes/images.mjs';
import { BIN, buildKubernetes, CACHE } from './kubernetes/programs.mjs';
import { ROOT, run } from './run.mjs';

/** Programs of this machine, and the packages of Debian that have them. */
const NEEDED = {
  containerd: 'containerd',
  etcd: 'etcd-server',
  runc: 'runc',
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
  conntrack: 'conntrack',
  iptables: 'iptables',
  ipset: 'ipset',
  ip: 'iproute2',
  openssl: 'openssl',
  catatonit: 'catatonit',
  debootstrap: 'debootstrap',
  go: 'golang',
  podman: 'podman',
  buildah: 'buildah',
};
const foreign = process.env.KUBECONFIG;

/** What this machine lacks, a sentence each. */
function listLacks() {
  if (foreign !== undefined) {
    const wanted = ['LOAD_IMAGES', 'NODE_ADDRESS'].filter((name) => process.env[name] === undefined);
    return wanted.map((name) => `Set ${name}, because KUBECONFIG names a cluster.`);
  }
  const isThere = (program) => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0;
  const lacking = Object.entries(NEEDED).filter(([program]) => !isThere(program));
  const sentences = lacking.map(([program, name]) => `Install ${program}: on Debian, \`apt-get install ${name}\`.`);
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    sentences.push('Run it on Linux as root, or set KUBECONFIG: a node opens networks and mounts.');
  else if (spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true']).status !== 0)
    sentences.push('Give this root the right to open namespaces (CAP_SYS_ADMIN), or set KUBECONFIG.');
  return sentences;
}

/** Settings of the kernel that a kubelet changes, for the whole machine. @returns what puts them back */
function rememberKernel() {
  const files = ['vm/overcommit_memory', 'vm/panic_on_oom', 'kernel/panic', 'kernel/panic_on_oops'];
  const values = files.map((name) => [`/proc/sys/${name}`, readFileSync(`/proc/sys/${name}`, 'utf8')]);
  return () => {
    for (const [file, value] of values) writeFileSync(file, value);
  };
}

async function test() {
  const lacks = listLacks();
  for (const sentence of lacks) console.error(sentence);
  if (lacks.length > 0) return 1;

  mkdirSync(BIN, { recursive: true });
  const images = await saveImages(findEngine());
  const helm = findHelm();
  const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const command = [process.execPath, vitest, 'run', '--config', 'test/kubernetes/vitest.config.ts'];
  command.push(...process.argv.slice(2));
  const folder = mkdtempSync(path.join(CACHE, 'run-'));
  try {
    return await (foreign === undefined ? testOwn : testForeign)(command, { HELM: helm, NODE_FOLDER: folder }, images);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function testOwn(command, env) {
  buildKubernetes();
  const separate = ['--net', '--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const putBack = rememberKernel();
  const code = await run('unshare', [...separate, ...command], env);
  putBack();
  return code;
}

async function testForeign([program, ...args], env, images) {
  for (const archive of images) await run('sh', ['-c', `${process.env.LOAD_IMAGES} "$1"`, 'sh', archive]);
  return await run(program, args, env);
}

process.exitCode = await test();
