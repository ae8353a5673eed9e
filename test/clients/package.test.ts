import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { expect, test as plainTest } from 'vitest';
import '../kit/built.ts';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '..', '..');
const CLIENT = path.join(ROOT, 'clients', 'typescript');
const TSC = path.join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');

/** A strict project that holds nothing but the packed client. */
const test = plainTest.extend<{ project: string }>({
  project: async ({}, use) => {
    const project = await mkdtemp(path.join(tmpdir(), 'client-'));
    // `npm test` passes on the project's setting to ignore scripts.
    const options = ['--json', '--ignore-scripts', '--pack-destination', project];
    const { stdout } = await run('npm', ['pack', ...options], { cwd: CLIENT });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    await writeFile(path.join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
    const tsconfig = {
      compilerOptions: {
        target: 'ES2022',
        lib: ['ES2022', 'DOM'],
        module: 'NodeNext',
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
      },
    };
    await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify(tsconfig));
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], { cwd: project });
    await use(project);
    await rm(project, { recursive: true });
  },
});

test('publint finds nothing in the packed client', async ({ project, expect }) => {
  const pkgDir = path.join(project, 'node_modules', 'social-account-connection-client');
  expect((await publint({ pkgDir, pack: false, strict: true })).messages).toEqual([]);
});

const USE = `
  const client = createClient({ url: 'http://127.0.0.1:9/graphql', key: 'id.secret', retries: 0 });
  const scope = { tenantKey: 'acme', externalSubjectId: 'user-1' };
  const code: Promise<ErrorCode> = client.connection({ scope, id: 'connection-1' }).then(
    ({ profile }) => { throw new Error(profile?.displayName ?? 'none'); },
    (error: unknown) => { if (error instanceof ServiceError) return error.code; throw error; },
  );
  code.then(console.log);
`;

test('the packed client compiles and runs in an empty strict project, imported and required', async ({ project }) => {
  const names = 'createClient, ServiceError, type ErrorCode';
  await writeFile(
    path.join(project, 'module.mts'),
    `import { ${names} } from 'social-account-connection-client';${USE}`,
  );
  await writeFile(
    path.join(project, 'script.cts'),
    `import { ${names} } from 'social-account-connection-client';${USE}`,
  );
  await run(process.execPath, [TSC, '-p', project]);
  for (const file of ['module.mjs', 'script.cjs']) {
    const { stdout } = await run(process.execPath, [path.join(project, file)]);
    expect(stdout.trim(), file).toBe('UPSTREAM_UNAVAILABLE');
  }
});
