// One node of Kubernetes, from the programs that scripts/kubernetes/programs.mjs builds: etcd, control plane, containerd, kubelet, kube-proxy,
// a network that enforces policies, and the metrics that an autoscaler asks for. It runs in namespaces of its own, which
// scripts/kubernetes.mjs opens: mounts, rules of the firewall and processes end with it.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../local/src/services.ts';
import { issueCertificate, openAuthority } from './certificates.ts';
import { waitFor } from './kubectl.ts';
import { serveNames } from './names.ts';

const BIN = path.join(ROOT, '.cache', 'kubernetes', 'bin');

export const NODE_ADDRESS = '10.88.77.1';
const API = `https://${NODE_ADDRESS}:6443`;
const PODS = '10.88.78.0/24';
const SERVICES = '10.96.0.0/16';
/** Folders for the volumes of cluster.yaml, and the user of each. */
const VOLUMES = [
  ['folder', 1_000],
  ['postgres-0', 999],
  ['postgres-1', 999],
] as const;
const KUBERNETES_SERVICE = '10.96.0.1';

/** A cluster that runs, and what a test does to it. */
export class Node {
  readonly folder: string;
  readonly kubeconfig: string;

  /** @param folder for its data, logs and certificates */
  constructor(folder: string) {
    this.folder = folder;
    this.kubeconfig = this.at('admin.conf');
  }

  at(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  /** Starts a program of the cluster. */
  start(name: string, args: readonly string[]): void {
    const log = openSync(this.at('log', name), 'a');
    const env = { ...process.env, PATH: `${BIN}:${process.env.PATH}` };
    const { pid } = spawn(name, args, { cwd: this.folder, env, stdio: ['ignore', log, log], detached: true });
    writeFileSync(this.at(`${name}.json`), JSON.stringify({ pid, args }));
  }

  /** Kills a program of the cluster. @returns how to start it again */
  kill(name: string): () => void {
    const { pid, args } = JSON.parse(readFileSync(this.at(`${name}.json`), 'utf8'));
    process.kill(pid, 'SIGKILL');
    return () => this.start(name, args);
  }

  async up(): Promise<void> {
    for (const name of ['log', 'pki', 'kubelet', 'cni', 'volumes']) mkdirSync(this.at(name), { recursive: true });
    this.#openNetwork();
    this.#writeCertificates();
    this.#startControlPlane();
    const kubectl = async (...args: string[]) => {
      const { stdout } = await promisify(execFile)(path.join(BIN, 'kubectl'), [
        '--kubeconfig',
        this.kubeconfig,
        ...args,
      ]);
      return stdout;
    };
    await waitFor("Kubernetes' API", async () => (await kubectl('get', '--raw', '/readyz')) === 'ok', 120_000);
    await this.#startNode();
    await waitFor('the node', async () => / Ready /.test(await kubectl('get', 'node', 'node')), 120_000);
    this.#enforcePolicies();
    const given = readFileSync(path.join(ROOT, 'test', 'kubernetes', 'cluster.yaml'), 'utf8');
    writeFileSync(this.at('cluster.yaml'), given.replaceAll('/mnt/', `${this.at('volumes')}/`));
    for (const [name, user] of VOLUMES) {
      mkdirSync(this.at('volumes', name));
      chownSync(this.at('volumes', name), user, user); // Kubernetes gives a folder to nobody.
    }
    await kubectl('apply', '--filename', this.at('cluster.yaml'));
    serveNames(NODE_ADDRESS, async () => {
      const services = await kubectl('get', 'services', '--all-namespaces', '--output', 'json');
      return JSON.parse(services).items;
    });
  }

  ctr(...args: string[]): string {
    return execFileSync('ctr', ['--address', this.at('containerd.sock'), '--namespace', 'k8s.io', ...args], {
      encoding: 'utf8',
    });
  }

  /** Kills the first process of a container, so that the kernel kills all others. */
  killContainer(id: string): void {
    this.ctr('tasks', 'kill', '--signal', 'SIGKILL', id);
  }

  /** Lets no packet in or out of a container's pod any more, as if its host had no power. */
  silenceContainer(id: string): void {
    const pid = new RegExp(`^${id} +(\\d+)`, 'm').exec(this.ctr('tasks', 'list'))?.[1];
    if (pid === undefined) throw new Error(`The container ${id} does not run.`);
    for (const chain of ['INPUT', 'OUTPUT'])
      execFileSync('nsenter', ['--target', pid, '--net', 'iptables', '--wait', '--insert', chain, '--jump', 'DROP']);
  }

  #openNetwork() {
    execFileSync('ip', ['link', 'set', 'lo', 'up']);
    execFileSync('ip', ['address', 'add', `${NODE_ADDRESS}/32`, 'dev', 'lo']);
    execFileSync('ip', ['route', 'add', 'default', 'dev', 'lo']); // Also to Services, whose addresses the firewall rewrites.
    execFileSync('sysctl', ['--quiet', '--write', 'net.ipv4.ip_forward=1']);
    const bridge = {
      type: 'bridge',
      bridge: 'cni1',
      isGateway: true,
      ipMasq: true,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        dataDir: this.at('addresses'),
        ranges: [[{ subnet: PODS }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    };
    const network = { cniVersion: '1.0.0', name: 'pods', plugins: [bridge] };
    writeFileSync(this.at('cni', '10-pods.conflist'), JSON.stringify(network));
  }

  #writeCertificates() {
    const authority = openAuthority(this.at('pki'));
    const names = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'localhost', 'node'];
    const addresses = ['127.0.0.1', NODE_ADDRESS, KUBERNETES_SERVICE];
    issueCertificate(authority, 'server', { subject: '/CN=server', names, addresses });
    issueCertificate(authority, 'admin', { subject: '/O=system:masters/CN=admin' });
    issueCertificate(authority, 'node', { subject: '/O=system:nodes/CN=system:node:node', names, addresses });
    issueCertificate(authority, 'front', { subject: '/CN=front-proxy' });
    execFileSync('openssl', ['genrsa', '-out', this.at('pki', 'accounts.key'), '2048'], { stdio: 'ignore' });
    for (const name of ['admin', 'node']) {
      const config = {
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'test', cluster: { server: API, 'certificate-authority': this.at('pki', 'ca.crt') } }],
        users: [
          {
            name,
            user: {
              'client-certificate': this.at('pki', `${name}.crt`),
              'client-key': this.at('pki', `${name}.key`),
            },
          },
        ],
        contexts: [{ name: 'test', context: { cluster: 'test', user: name } }],
        'current-context': 'test',
      };
      writeFileSync(this.at(`${name}.conf`), JSON.stringify(config));
    }
  }

  #startControlPlane() {
    const kubeconfig = `--kubeconfig=${this.kubeconfig}`;
    this.start('etcd', [
      `--data-dir=${this.at('etcd')}`,
      '--listen-client-urls=http://127.0.0.1:23790',
      '--advertise-client-urls=http://127.0.0.1:23790',
      '--listen-peer-urls=http://127.0.0.1:23800',
      '--unsafe-no-fsync',
    ]);
    this.start('kube-apiserver', [
      '--etcd-servers=http://127.0.0.1:23790',
      `--advertise-address=${NODE_ADDRESS}`,
      `--service-cluster-ip-range=${SERVICES}`,
      '--authorization-mode=Node,RBAC',
      '--client-ca-file=pki/ca.crt',
      '--tls-cert-file=pki/server.crt',
      '--tls-private-key-file=pki/server.key',
      '--kubelet-client-certificate=pki/admin.crt',
      '--kubelet-client-key=pki/admin.key',
      '--service-account-issuer=https://kubernetes.default.svc',
      '--service-account-key-file=pki/accounts.key',
      '--service-account-signing-key-file=pki/accounts.key',
      '--kubelet-preferred-address-types=InternalIP',
      '--allow-privileged=true',
      // For the metrics server, which is an API of its own behind this one.
      '--requestheader-client-ca-file=pki/ca.crt',
      '--requestheader-allowed-names=front-proxy',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-username-headers=X-Remote-User',
      '--proxy-client-cert-file=pki/front.crt',
      '--proxy-client-key-file=pki/front.key',
    ]);
    this.start('kube-controller-manager', [
      kubeconfig,
      '--service-account-private-key-file=pki/accounts.key',
      '--root-ca-file=pki/ca.crt',
      '--use-service-account-credentials=true',
      '--leader-elect=false',
      '--horizontal-pod-autoscaler-sync-period=5s',
      '--horizontal-pod-autoscaler-downscale-stabilization=30s',
      '--horizontal-pod-autoscaler-initial-readiness-delay=5s',
      '--horizontal-pod-autoscaler-cpu-initialization-period=10s',
    ]);
    this.start('kube-scheduler', [kubeconfig, '--leader-elect=false']);
  }

  /** It ends at once if the node is not known yet. */
  #enforcePolicies(): void {
    this.start('kube-router', [
      `--kubeconfig=${this.kubeconfig}`,
      '--hostname-override=node',
      '--run-firewall=true',
      '--run-router=false',
      '--run-service-proxy=false',
      `--service-cluster-ip-range=${SERVICES}`,
      '--health-port=0',
    ]);
  }

  async #startNode() {
    writeFileSync(this.at('containerd.toml'), CONTAINERD(this.folder));
    writeFileSync(this.at('kubelet.yaml'), JSON.stringify(KUBELET(this.folder)));
    writeFileSync(this.at('resolv.conf'), `nameserver ${NODE_ADDRESS}\n`);
    this.start('containerd', ['--config', this.at('containerd.toml')]);
    await waitFor('containerd', () => this.ctr('version'));
    this.start('kubelet', [
      `--kubeconfig=${this.at('node.conf')}`,
      `--config=${this.at('kubelet.yaml')}`,
      '--hostname-override=node',
      `--node-ip=${NODE_ADDRESS}`,
      `--root-dir=${this.at('kubelet')}`,
      `--cert-dir=${this.at('pki')}`,
    ]);
    this.start('kube-proxy', [
      `--kubeconfig=${this.kubeconfig}`,
      '--hostname-override=node',
      `--cluster-cidr=${PODS}`,
      '--proxy-mode=iptables',
      // The kernel's own limits.
      '--conntrack-max-per-core=0',
      '--conntrack-tcp-timeout-established=0s',
      '--conntrack-tcp-timeout-close-wait=0s',
    ]);
    this.start('metrics-server', [
      `--kubeconfig=${this.kubeconfig}`,
      `--authentication-kubeconfig=${this.kubeconfig}`,
      `--authorization-kubeconfig=${this.kubeconfig}`,
      '--kubelet-preferred-address-types=InternalIP',
      '--kubelet-certificate-authority=pki/ca.crt',
      '--kubelet-request-timeout=5s',
      '--metric-resolution=10s',
      '--secure-port=4443',
      '--tls-cert-file=pki/server.crt',
      '--tls-private-key-file=pki/server.key',
    ]);
  }
}

const CONTAINERD = (folder: string) => `version = 2
root = "${folder}/containerd"
state = "${folder}/containerd-run"
[grpc]
  address = "${folder}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true # A restricted root may not lower it.
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "/usr/lib/cni"
  conf_dir = "${folder}/cni"
`;

const KUBELET = (folder: string) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: { x509: { clientCAFile: `${folder}/pki/ca.crt` }, webhook: { enabled: true } },
  authorization: { mode: 'Webhook' },
  containerRuntimeEndpoint: `unix://${folder}/containerd.sock`,
  podLogsDir: `${folder}/pods`,
  cgroupDriver: 'cgroupfs',
  failSwapOn: false,
  failCgroupV1: false,
  cgroupsPerQOS: false,
  enforceNodeAllocatable: [],
  localStorageCapacityIsolation: false,
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  resolvConf: `${folder}/resolv.conf`,
  clusterDNS: [NODE_ADDRESS],
  clusterDomain: 'cluster.local',
  tlsCertFile: `${folder}/pki/server.crt`,
  tlsPrivateKeyFile: `${folder}/pki/server.key`,
});
