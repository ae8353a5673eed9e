// `npm run test:s3`: tests the erasure journal in a bucket of a real S3 server, versitygw, over a folder. Needs
// `versitygw` on the PATH, or Go to build it once.
import './codegen.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT, run } from './run.mjs';

const VERSION = 'v1.8.0';
const BIN = path.join(ROOT, '.cache', 's3');

function findServer() {
  try {
    execFileSync('versitygw', ['--version'], { stdio: 'ignore' });
    return 'versitygw';
  } catch {
    const built = path.join(BIN, 'versitygw');
    if (!existsSync(built)) {
      console.log(`Building versitygw ${VERSION} from its Go module, once…`);
      const env = { ...process.env, GOBIN: BIN };
      execFileSync('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
        env,
        stdio: 'inherit',
      });
    }
    return built;
  }
}

const findPort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const program = findServer();
const port = await findPort();
const folder = mkdtempSync(path.join(tmpdir(), 's3-'));
const access = { ROOT_ACCESS_KEY: 'test', ROOT_SECRET_KEY: randomBytes(20).toString('hex') };
const server = spawn(program, ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', folder], {
  env: { ...process.env, ...access },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries > 100 || server.exitCode !== null) throw new Error('The S3 server does not start.');
    await sleep(100);
  }
  Object.assign(process.env, {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: access.ROOT_ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: access.ROOT_SECRET_KEY,
  });
  const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  process.exitCode = await run(process.execPath, [
    vitest,
    'run',
    '--config',
    'test/suites.config.ts',
    '--project',
    's3',
  ]);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
