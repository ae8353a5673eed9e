import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { schemas } from '../../src/config/config.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (...names: string[]) => readFileSync(path.join(ROOT, ...names), 'utf8');
const template = (name: string) => read('deploy', 'helm', 'social-accounts', 'templates', name);

/** Read by Temporal's own library. */
const TEMPORAL_VARIABLES = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_TLS',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
];

/** Read by the S3 client. */
const BUCKET_VARIABLES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

/** The variables that a template sets, itself or through included helpers. */
function variablesOf(text: string): string[] {
  const helpers = template('_helpers.tpl');
  const included = [...text.matchAll(/include "(social-accounts\.\w+Env)"/g)].map(([, name]) => {
    const [, body = ''] = new RegExp(`define "${name}" -}}([\\s\\S]*?)\\n{{- end }}\\n`).exec(helpers) ?? [];
    return name === 'social-accounts.secretEnv' ? [] : variablesOf(body);
  });
  const set = [...text.matchAll(/- \{? ?name: ([A-Z][A-Z0-9_]+)/g)].map(([, name]) => String(name));
  const [, listed = ''] = /secretEnv" \(concat \(list ([^)]*)\)/.exec(text) ?? [];
  const secrets = [...listed.matchAll(/"([A-Z_]+)"/g)].map(([, name]) => String(name));
  return [...set, ...secrets, ...included.flat()].map((name) => name.replace(/_FILE$/, ''));
}

describe('the Helm chart', () => {
  test.for([
    ['api', 'api'],
    ['worker', 'worker'],
    ['migrate', 'migrate'],
    ['promote', 'cli'],
    ['maintenance', 'worker'],
  ] as const)('sets every variable that %s requires, and none that it does not know', ([name, process]) => {
    const shape: Readonly<Record<string, ZodType>> = schemas[process].shape;
    const given = variablesOf(template(`${name}.yaml`));
    const required = Object.keys(shape).filter((name) => !shape[name]?.safeParse(undefined).success);
    expect(given).toEqual(expect.arrayContaining(required));
    const known = [
      // The Job runs in the api's environment.
      ...Object.keys(name === 'promote' ? { ...shape, ...schemas.api.shape } : shape),
      ...(process === 'migrate' ? [] : [...TEMPORAL_VARIABLES, ...BUCKET_VARIABLES]),
    ];
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('gives the api no private key of the worker', () => {
    for (const name of ['VAULT_GRANT_KEYS', 'VAULT_INBOX_PRIVATE_KEYS']) {
      expect(variablesOf(template('api.yaml'))).not.toContain(name);
      expect(variablesOf(template('worker.yaml'))).toContain(name);
    }
  });

  test('carries the alert rules of ops/prometheus', () => {
    expect(read('deploy', 'helm', 'social-accounts', 'alerts.yml')).toBe(read('ops', 'prometheus', 'alerts.yml'));
  });

  test('has the version of the service, as the npm packages have', () => {
    const { version } = JSON.parse(read('package.json'));
    const chart = read('deploy', 'helm', 'social-accounts', 'Chart.yaml');
    expect(chart).toContain(`\nversion: ${version}\nappVersion: ${version}\n`);
    for (const folder of ['typescript', 'command-line']) {
      expect(JSON.parse(read('clients', folder, 'package.json')).version).toBe(version);
    }
  });
});
