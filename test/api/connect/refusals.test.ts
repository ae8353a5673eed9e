import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { openDatabase } from '../../kit/postgres.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const guess = () => randomBytes(32).toString('hex');

describe('a page', () => {
  test('loads nothing, cannot be framed or cached, and sends no referrer', async () => {
    const { headers } = await stage.browser().launch('connect', guess());
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('strict-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('failures', () => {
  test('from one address are limited; valid attempts pass, also from there', async () => {
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
    const down = await openStage({ sql: unreachable });
    try {
      const response = await down.browser().launch('connect', guess());
      expect(response.status).toBe(503);
      expect(await response.text()).toContain('Temporarily unavailable');
      expect(down.lines.join('')).toContain('ECONNREFUSED');
      expect(down.lines.join('')).not.toContain('127.0.0.1');
    } finally {
      await unreachable.end();
      await down.close();
    }
  });
});
