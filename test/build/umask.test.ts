import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';

test('the image does not depend on the umask of the checkout', () => {
  const [build = '', service = ''] = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8').split(/^FROM .* AS service$/m);
  // The last stage copies nothing from the checkout itself, but from the stage that sets the modes.
  const copies = service.match(/^COPY .*$/gm) ?? [];
  expect(copies.length).toBeGreaterThan(3);
  expect(copies.filter((line) => !/ --from=(build|packages) /.test(line))).toEqual([]);
  const [, command = ''] = /^RUN (find .*?) && npm run build$/m.exec(build) ?? [];
  const folder = mkdtempSync(path.join(tmpdir(), 'umask-'));
  cpSync(path.join(ROOT, 'ops'), path.join(folder, 'ops'), { recursive: true });
  execFileSync('chmod', ['-R', 'go=', path.join(folder, 'ops')]);
  execFileSync('sh', ['-c', command], { cwd: folder });
  const unreadable = execFileSync('find', ['ops', '!', '-perm', '-444'], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(unreadable).toBe('');
});
