import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellScript } from '../../src/local/shell-script.ts';

const PRINT = 'console.log(JSON.stringify([process.env.KEYS, process.env.PATH]))';

test('a shell that sources it has each value as it was, and finds the program first', () => {
  const keys = '{"keys":[{"k":"a$b`c\\\\d"}]} it\'s # all';
  const script = shellScript({ KEYS: keys }, '/opt/some where/temporal');
  const env = { PATH: process.env.PATH ?? '' };
  const said = execFileSync('sh', ['-c', `${script}exec '${process.execPath}' -e '${PRINT}'`], {
    env,
    encoding: 'utf8',
  });
  expect(JSON.parse(said)).toEqual([keys, `/opt/some where:${env.PATH}`]);
});
