import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { isTyped, readBlocks } from '../kit/page-blocks.ts';
import { CONNECT, POSTGRES, TEMPORAL } from './parts.ts';

const PAGE = 'deploy/helm/social-accounts/README.md';
const VALUES = path.join(ROOT, 'test', 'kubernetes', 'values.yaml');
const IMAGE = process.env.IMAGE ?? 'docker.io/library/social-accounts';
const IN_PARTS = 'exec kubectl --namespace parts exec --stdin';

/** The values that the page leaves to the reader. */
const KNOWN = new Map([
  ['registry.example.com/social-accounts', IMAGE],
  ['db.example.com', POSTGRES],
  ['connect.example.com', CONNECT],
  ['temporal-frontend.temporal.svc.cluster.local', TEMPORAL],
  ['--values my-values.yaml', `--values my-values.yaml --values ${VALUES}`],
]);

/** The programs that the page presumes, as they reach this cluster. */
const PROGRAMS = () => ({
  docker: `shift 3; exec ${process.execPath} ${path.join(ROOT, 'dist', 'main.js')} "$@"`, // run --rm IMAGE
  psql: `${IN_PARTS} postgres-0 -- psql --username postgres "$@"`,
  temporal: `${IN_PARTS} deploy/temporal --container tools -- env TEMPORAL_NAMESPACE=$TEMPORAL_NAMESPACE temporal "$@"`,
  helm: `exec ${process.env.HELM ?? 'helm'} "$@"`,
  curl: `exec /usr/bin/curl --silent --show-error --connect-to ::${inject('nodeAddress')}:30443 --cacert connect-ca.crt "$@"`,
});

/** A checkout of this version, with the files that the page presumes. */
export function openFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'chart-'));
  for (const name of ['deploy', 'ops']) cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  const certificates = inject('certificates');
  for (const [name, source] of Object.entries({
    'database-ca.crt': 'ca.crt',
    'temporal-ca.crt': 'ca.crt',
    'connect-ca.crt': 'ca.crt',
    'temporal-client.crt': 'tls.crt',
    'temporal-client.key': 'tls.key',
    'connect.crt': 'tls.crt',
    'connect.key': 'tls.key',
  }))
    symlinkSync(path.join(certificates, source), path.join(folder, name));
  mkdirSync(path.join(folder, 'bin'));
  for (const [name, script] of Object.entries(PROGRAMS())) {
    writeFileSync(path.join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, 'bin', name), 0o755);
  }
  return folder;
}

/** Types the blocks of a section into one shell. @returns their output */
export async function typeSection(heading: string, folder: string): Promise<string> {
  const lines = readFileSync(path.join(ROOT, PAGE), 'utf8').split('\n');
  const headingOf = (line: number) => lines.slice(0, line).findLast((text) => text.startsWith('## '));
  const blocks = readBlocks(PAGE).filter(
    (block) => isTyped(block) && block.notRun === undefined && headingOf(block.line) === `## ${heading}`,
  );
  if (blocks.length === 0) throw new Error(`${PAGE} has no commands under ${heading}.`);
  let script = blocks.map(({ text }) => text).join('\n');
  for (const [word, value] of KNOWN) script = script.replaceAll(word, value);
  const env = { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}` };
  try {
    const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: folder, env, maxBuffer: 1e8 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${PAGE}, ${heading}:\n${stdout}${stderr}`, { cause: error });
  }
}

/** Runs Helm as the page does, with its values and further ones. */
export async function helm(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)('helm', ['--namespace', 'accounts', ...args], { cwd: folder, env });
  return stdout;
}

/** The arguments of an upgrade. */
export const upgradeTo = (...sets: string[]): string[] => [
  ...['upgrade', 'accounts', 'deploy/helm/social-accounts', '--values', 'my-values.yaml', '--values', VALUES],
  ...['--wait', '--timeout', '6m', ...sets.flatMap((set) => ['--set', set])],
];
