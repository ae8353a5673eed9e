// One version as running services, in a process of its own that takes turns when it is asked.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Starts the services of the version in `root`.
 * @param {string} root
 * @param {string} logFile for all its output
 */
export async function startSide(root, logFile) {
  const folder = mkdtempSync(path.join(tmpdir(), 'guard-'));
  const address = path.join(folder, 'socket');
  const server = createServer().listen(address);
  await once(server, 'listening');
  const log = openSync(logFile, 'w', 0o600);
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'bench/guard/vitest.config.ts'], {
    cwd: root,
    env: { ...process.env, BUILT_FOR_TESTS: 'yes', GUARD_SOCKET: address },
    stdio: ['ignore', log, log],
    detached: true, // Ctrl-C ends the guard, and so the connection: then the services stop in order.
  });
  closeSync(log);
  const exited = once(child, 'exit');
  const gone = exited.then(() => {
    throw new Error(`The services have ended; see ${logFile}`);
  });
  gone.catch(() => undefined);
  const close = () => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [socket] = await Promise.race([once(server, 'connection'), gone]);
    const lines = createInterface({ input: socket });
    socket.on('error', () => undefined); // The exit of the process explains more.
    const ask = async (request) => {
      const answered = once(lines, 'line');
      socket.write(`${JSON.stringify(request)}\n`);
      const [line] = await Promise.race([answered, gone]);
      const { answer, error } = JSON.parse(line);
      if (error !== undefined) throw new Error(error);
      return answer;
    };
    const stop = async () => {
      socket.end();
      await exited;
      close();
    };
    return { ask, stop };
  } catch (error) {
    close();
    throw error;
  }
}
