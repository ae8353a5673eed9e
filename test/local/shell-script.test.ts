import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createShellScript } from '../../local/src/shell-script.ts';

const PRINT = 'console.log(JSON.stringify([process.env.KEYS, process.env.PATH]))';
const OWN_PATH = process.env.PATH ?? '';

test('a command receives each value unchanged, and finds the program first', () => {
  const keys = '{"keys":[{"k":"a$b`c\\\\d"}]} it\'s # all';
  const script = createShellScript({ KEYS: keys }, '/opt/some where/temporal');
  const said = execFileSync('sh', ['-c', script, 'sh', process.execPath, '-e', PRINT], {
    env: { PATH: OWN_PATH },
    encoding: 'utf8',
  });
  expect(JSON.parse(said)).toEqual([keys, `/opt/some where:${OWN_PATH}`]);
});
