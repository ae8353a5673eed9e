import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

/**
 * Builds a program from its Go module, unless `file` exists. The first build takes minutes.
 * @param {string} module such as `example.com/tool/cmd/server@v1.2.3`
 * @param {string} file the program's path
 */
export function buildGo(module, file) {
  if (existsSync(file)) return;
  console.log(`Building ${path.basename(file)} from the Go module ${module}, once…`);
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = mkdtempSync(path.join(path.dirname(file), 'go-'));
  const env = { ...process.env, CGO_ENABLED: '0', GOBIN: draft, GOFLAGS: '-mod=mod' };
  execFileSync('go', ['install', '-trimpath', module], { cwd: ROOT, env, stdio: 'inherit' });
  renameSync(path.join(draft, path.basename(module.split('@')[0] ?? '')), file);
  rmSync(draft, { recursive: true });
}
