import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';
import { makeCertificates } from './certificates.ts';
import { kubectl, waitFor } from './kubectl.ts';

export const CONNECT = 'connect.accounts.example';
export const CONSOLE = 'console.accounts.example';
export const PLATFORMS = 'platforms.example.com';
export const POSTGRES = 'postgres.parts.svc.cluster.local';
const TEMPORAL_POSTGRES = 'temporal-postgres.parts.svc.cluster.local';
export const TEMPORAL = 'temporal.parts.svc.cluster.local';

const STARTED_WITHIN_MS = 240_000;

const read = (...names: string[]) => readFileSync(path.join(ROOT, ...names), 'utf8');
const objectOf = (kind: string, name: string, content: Record<string, unknown>) => ({
  apiVersion: 'v1',
  kind,
  metadata: { namespace: 'parts', name },
  ...content,
});

/** Starts the dependencies of a production deployment: see parts.yaml. @returns the folder of the certificates */
export async function startParts(folder: string): Promise<string> {
  const certificates = path.join(folder, 'certificates');
  mkdirSync(certificates);
  makeCertificates(certificates, [POSTGRES, TEMPORAL_POSTGRES, TEMPORAL, CONNECT, CONSOLE, PLATFORMS]);
  const passwords = { postgres: randomBytes(24).toString('hex'), temporal: randomBytes(24).toString('hex') };
  const file = (name: string) => readFileSync(path.join(certificates, name), 'utf8');
  const scripts = {
    'temporal-schema.sh': read('ops', 'compose', 'temporal-schema.sh'),
    'temporal-dynamic-config.yaml': read('ops', 'compose', 'temporal-dynamic-config.yaml'),
  };
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'parts' } },
    objectOf('Secret', 'passwords', { stringData: passwords }),
    objectOf('Secret', 'certificate', {
      stringData: { 'tls.crt': file('tls.crt'), 'tls.key': file('tls.key'), 'ca.crt': file('ca.crt') },
    }),
    objectOf('ConfigMap', 'temporal', { data: scripts }),
    objectOf('ConfigMap', 'proxy', { data: { Caddyfile: read('test', 'kubernetes', 'Caddyfile') } }),
  ];
  await kubectl(
    ['apply', '--namespace', 'parts', '--filename', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  );
  await kubectl(['apply', '--namespace', 'parts', '--filename', '-'], read('test', 'kubernetes', 'parts.yaml'));
  await isThere('statefulset/temporal-postgres');
  const asAdministrator = [
    'exec',
    'temporal-postgres-0',
    '--container',
    'postgres',
    '--',
    'psql',
    '--username',
    'postgres',
  ];
  const statement = `create role temporal login createdb password '${passwords.temporal}'`;
  await kubectl(['--namespace', 'parts', ...asAdministrator, '--command', statement]);
  await isThere('statefulset/postgres');
  for (const name of ['temporal', 'sandbox', 'proxy']) await isThere(`deployment/${name}`);
  return certificates;
}

const isThere = (name: string) =>
  waitFor(
    name,
    async () =>
      (await kubectl(['--namespace', 'parts', 'get', name, '--output', 'jsonpath={.status.readyReplicas}'])) === '1',
    STARTED_WITHIN_MS,
  );
