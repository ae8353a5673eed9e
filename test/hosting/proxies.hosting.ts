import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import { startTestService, type TestService } from '../kit/service.ts';
import { hasProgram } from './programs.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Starts a proxy, and stops it after the test. @param configure gets its port. @returns where it listens */
async function startProxy(
  program: string,
  args: readonly string[],
  configure: (port: number, folder: string) => string,
) {
  const run = await openRunFolder();
  const port = await findFreePort();
  const file = path.join(run.folder, 'proxy.conf');
  mkdirSync(path.join(run.folder, 'temporary'));
  writeFileSync(file, configure(port, run.folder));
  const url = `http://${LOOPBACK}:${port}`;
  const proxy = new Part(
    {
      name: program,
      program: `/usr/sbin/${program}`,
      args: [...args, file],
      env: {},
      cwd: run.folder,
      stop: { signal: 'SIGTERM', patienceMs: 5_000 },
      isReady: async () => (await fetch(url).catch(() => undefined)) !== undefined,
    },
    run,
  );
  await proxy.start();
  onTestFinished(async () => {
    await proxy.stop();
    run.remove();
  });
  return url;
}

describe.skipIf(!hasProgram('nginx'))('nginx', () => {
  const startNginx = (location: string) =>
    startProxy(
      'nginx',
      ['-c'],
      (port, folder) => `
        daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr;
        events {}
        http {
          access_log off;
          ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/temporary;`).join(' ')}
          server { listen ${LOOPBACK}:${port}; ${location} }
        }`,
    );
  const ask = async (url: string) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ status { ok } }' }),
    });
    return { status: response.status, body: await response.json() };
  };
  const OK = { status: 200, body: { data: { status: { ok: true } } } };

  test.each([
    ['its defaults, HTTP/1.0', ''],
    ['HTTP/1.1 with kept connections', 'proxy_http_version 1.1; proxy_set_header Connection "";'],
  ])('passes requests on by %s', async (_how, more) => {
    const base = await startNginx(
      `location / { ${more} proxy_pass http://${LOOPBACK}:${service.settings.ports.api}; }`,
    );
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    expect(await ask(base)).toEqual(OK);
  });

  test('puts the service under a path', async () => {
    const { api } = service.settings.ports;
    const base = await startNginx(`location /accounts/ { proxy_pass http://${LOOPBACK}:${api}/; }`);
    expect((await fetch(`${base}/accounts/readyz`)).status).toBe(200);
    expect(await ask(`${base}/accounts`)).toEqual(OK);
    expect((await fetch(`${base}/readyz`)).status).toBe(404);
  });
});
