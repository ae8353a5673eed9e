import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { vi } from 'vitest';
import { findFreePort } from '../../local/src/ports.ts';
import { ROOT } from '../../local/src/services.ts';
import { findStandardWebhooks } from './python.ts';

const PAGE = readFileSync(path.join(ROOT, 'docs', 'webhooks.md'), 'utf8');
const blockIn = (language: string) => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(PAGE)?.[1] ?? '';

/** Runs the example of the guide in a language. It verifies with code that is not ours in Python. Each line is an event that it has verified. */
export async function startReceiver(language: 'js' | 'python', secrets: readonly string[]) {
  const port = await findFreePort();
  const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRETS: secrets.join(' ') };
  const script = blockIn(language);
  const child =
    language === 'python'
      ? spawn('python3', ['-c', script], { env: { ...env, PYTHONPATH: await findStandardWebhooks() } })
      : spawn(process.execPath, ['--input-type=module', '-e', script], { env, cwd: ROOT });
  const [printed, errors] = [collect(child.stdout), collect(child.stderr)];
  const url = `http://127.0.0.1:${port}/`;
  const isListening = () => fetch(url).then(Boolean, () => false);
  await vi.waitUntil(async () => child.exitCode !== null || (await isListening()), { interval: 50 });
  if (child.exitCode !== null) throw new Error(`The ${language} receiver ended: ${errors.join('\n')}`);
  return { url, lines: () => printed, stop: () => void child.kill() };
}

function collect(stream: Readable): string[] {
  const lines: string[] = [];
  stream.on('data', (data) => lines.push(...String(data).split('\n').filter(Boolean)));
  return lines;
}
