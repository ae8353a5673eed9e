import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { kubectl } from './kubectl.ts';
import { CONNECT, PLATFORMS, startParts } from './parts.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** An address of a node, whose ports the test reaches. */
    readonly nodeAddress: string;
    readonly certificates: string;
  }
}

/** Addresses that are public as far as the service knows: see the Services of parts.yaml. */
const NAMES = `hosts {\n        11.111.11.1 ${PLATFORMS}\n        11.111.11.2 ${CONNECT}\n        fallthrough\n    }\n    `;

/** Starts the dependencies of a production deployment in the cluster of `KUBECONFIG`. */
export default async function setUp(project: TestProject): Promise<void> {
  await addNames();
  await addFolder();
  project.provide('certificates', await startParts(mkdtempSync(path.join(tmpdir(), 'kubernetes-'))));
  project.provide('nodeAddress', process.env.NODE_ADDRESS ?? '');
}

/** Gives the cluster's CoreDNS the names of the outside. */
async function addNames(): Promise<void> {
  const inSystem = (...args: string[]) => kubectl(['--namespace', 'kube-system', ...args]);
  const { data } = JSON.parse(await inSystem('get', 'configmap', 'coredns', '--output', 'json'));
  if (data.Corefile.includes(PLATFORMS)) return;
  const Corefile = data.Corefile.replace('kubernetes cluster.local', `${NAMES}kubernetes cluster.local`);
  await inSystem('patch', 'configmap', 'coredns', '--patch', JSON.stringify({ data: { Corefile } }));
  await inSystem('rollout', 'restart', 'deployment/coredns');
}

/** Adds a folder of the only node as a volume of the default class that several pods can write, which few clusters have. */
async function addFolder(): Promise<void> {
  const { items } = JSON.parse(await kubectl(['get', 'storageclass', '--output', 'json']));
  const DEFAULT = 'storageclass.kubernetes.io/is-default-class';
  const known = items.find(({ metadata }: Named) => metadata.annotations?.[DEFAULT] === 'true')?.metadata.name;
  const folder = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'folder' },
    spec: {
      storageClassName: known ?? 'folders',
      capacity: { storage: '10Gi' },
      accessModes: ['ReadWriteMany'],
      hostPath: { path: '/mnt/folder', type: 'DirectoryOrCreate' },
    },
  };
  const ofFolders = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'folders', annotations: { [DEFAULT]: 'true' } },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  };
  const list = { apiVersion: 'v1', kind: 'List', items: known === undefined ? [ofFolders, folder] : [folder] };
  await kubectl(['apply', '--filename', '-'], JSON.stringify(list));
}

interface Named {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}
