import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';

test('a checkout has the same line endings where Git is set to CRLF, and keeps binary files', ({ onTestFinished }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path.join(folder, 'one'), '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      stdio: 'pipe',
    });
  execFileSync('git', ['init', '--quiet', path.join(folder, 'one')]);
  const files = {
    '.gitattributes': readFileSync(path.join(ROOT, '.gitattributes')),
    'run.sh': Buffer.from('#!/bin/sh\necho\n'),
    'logo.png': Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, 'one', name), content);
  git('add', '.');
  git('commit', '--quiet', '--message', 'one');
  const clone = path.join(folder, 'two');
  execFileSync('git', ['-c', 'core.autocrlf=true', 'clone', '--quiet', path.join(folder, 'one'), clone]);
  for (const [name, content] of Object.entries(files)) {
    expect(readFileSync(path.join(clone, name)).equals(content), name).toBe(true);
  }
});

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
