import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../../local/src/services.ts';
import { NODE_ADDRESS, Node } from './node.ts';
import { startParts } from './parts.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the node that runs here; undefined in a cluster that was there. */
    readonly nodeFolder: string | undefined;
    /** An address of a node, whose ports the test reaches. */
    readonly nodeAddress: string;
    readonly certificates: string;
  }
}

const CACHE = path.join(ROOT, '.cache', 'kubernetes');

/** Brings up a cluster, unless `KUBECONFIG` names one, and in it what a production deployment stands on. */
export default async function setUp(project: TestProject): Promise<void> {
  const folder = process.env.NODE_FOLDER ?? mkdtempSync(path.join(tmpdir(), 'kubernetes-'));
  const node = process.env.KUBECONFIG === undefined ? new Node(folder) : undefined;
  if (node !== undefined) {
    process.env.PATH = `${path.join(CACHE, 'bin')}:${process.env.PATH}`;
    process.env.KUBECONFIG = node.kubeconfig;
    const startedAt = Date.now();
    await node.up();
    for (const name of readdirSync(path.join(CACHE, 'images')).filter((one) => one.endsWith('.tar')))
      node.ctr('images', 'import', path.join(CACHE, 'images', name));
    console.log(`The cluster is up after ${((Date.now() - startedAt) / 1_000).toFixed(1)} s.`);
  }
  const startedAt = Date.now();
  project.provide('certificates', await startParts(folder));
  console.log(
    `Postgres, Temporal, platforms and proxy are up after ${((Date.now() - startedAt) / 1_000).toFixed(1)} s.`,
  );
  project.provide('nodeFolder', node?.folder);
  project.provide('nodeAddress', process.env.NODE_ADDRESS ?? NODE_ADDRESS);
}
