import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { holdLimits } from '../../kit/hold-limits.ts';
import { openDatabase } from '../../kit/postgres.ts';
import { openOwnStage, useStage } from './stage.ts';

const stage = useStage();

const guess = () => randomBytes(32).toString('hex');

describe('failures', () => {
  test('from one address are limited; valid attempts pass, also from there', async () => {
    holdLimits();
    const browser = stage.browser();
    const answers: Response[] = [];
    for (let i = 0; i < 40; i += 1) answers.push(await browser.launch('connect', guess()));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.slice(0, 30).every(({ status }) => status === 404)).toBe(true);
    expect(refused.length).toBeGreaterThan(5);
    expect(refused[0]?.headers.get('retry-after')).toBe('60');

    const { launchToken } = await stage.connectAttempt();
    expect((await browser.launch('connect', launchToken)).status).toBe(200);
    expect((await stage.browser().launch('connect', guess())).status).toBe(404);
  });

  test('of our own show a page about it, and write a log line without the error’s text', async () => {
    const unreachable = openDatabase(new Secret('postgres://nobody@127.0.0.1:1/none'), {
      poolSize: 1,
      applicationName: 't',
    });
    onTestFinished(() => unreachable.end());
    const down = await openOwnStage({ sql: unreachable });
    const response = await down.browser().launch('connect', guess());
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('Temporarily unavailable');
    expect(down.lines.join('')).toContain('ECONNREFUSED');
    expect(down.lines.join('')).not.toContain('127.0.0.1');
  });
});
