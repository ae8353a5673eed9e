import { describe, expect, test } from 'vitest';
import { assertReturn, launchForm, ReturnMismatchError } from '../../clients/typescript/src/index.ts';

const launch = { launchUrl: 'https://connect.example.com/api/connect/redeem', launchToken: 'a'.repeat(64) };

describe('launchForm', () => {
  test('posts the token to the launch URL, automatically or by its button', () => {
    const { html } = launchForm(launch);
    expect(html).toContain(`<form method="post" action="${launch.launchUrl}">`);
    expect(html).toContain(`<input type="hidden" name="launchToken" value="${launch.launchToken}">`);
    expect(html).toContain('<button>Continue</button>');
    // A second click would abort the first request, whose token is spent.
    expect(html).toContain("document.forms[0].submit();document.querySelector('button').disabled=true");
  });

  test('allows its form to lead to the service, its own script, and nothing else', () => {
    const { html, headers } = launchForm(launch);
    const nonce = /<script nonce="([^"]+)">/.exec(html)?.[1] ?? expect.fail('The script has no nonce.');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'nonce-${nonce}'; form-action https://connect.example.com; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'strict-origin' });
    expect(launchForm(launch).html).not.toContain(nonce);
  });

  test('writes every text as text', () => {
    const hostile = `"><script>alert('x')</script>&`;
    const { html } = launchForm(
      { launchUrl: `https://connect.example.com/?${hostile}`, launchToken: hostile },
      { title: hostile, button: hostile, lang: hostile },
    );
    expect(html).not.toContain("alert('x')");
    expect(html.match(/<script/g)).toHaveLength(1);
  });
});

describe('assertReturn', () => {
  test.for([
    ['a URL', 'https://app.example.com/connected?ss_session_id=attempt-1#_'],
    ['a path', '/connected?tab=2&ss_session_id=attempt-1'],
  ] as const)('returns the id that the browser came back with, from %s', ([, returned]) => {
    expect(assertReturn(returned, 'attempt-1')).toBe('attempt-1');
  });

  test('returns the id of any attempt of a session that has several', () => {
    expect(assertReturn('/connected?ss_session_id=attempt-2', ['attempt-1', 'attempt-2'])).toBe('attempt-2');
  });

  test.for([
    ['another attempt than several', '/connected?ss_session_id=attempt-3', ['attempt-1', 'attempt-2']],
    ['another attempt', '/connected?ss_session_id=attempt-2', 'attempt-1'],
    ['no attempt', '/connected', 'attempt-1'],
    ['two attempts', '/connected?ss_session_id=attempt-1&ss_session_id=attempt-2', 'attempt-1'],
    ['a session that started none', '/connected?ss_session_id=attempt-1', undefined],
    ['an empty id', '/connected?ss_session_id=', ''],
  ] as const)('refuses %s', ([, returned, expected]) => {
    expect(() => assertReturn(returned, expected)).toThrow(ReturnMismatchError);
  });
});
