import { describe, expect, test, vi } from 'vitest';
import { ERROR_CODES } from '../../clients/typescript/src/index.ts';
import { ERROR_TEXTS, ERRORS, TOO_MANY_UNFINISHED } from '../../examples/caller/src/texts.ts';
import { CORRELATION_ID, refusal } from './fake-service.ts';
import { KEY, openSignedIn, openStudio } from './visitor.ts';

describe.each(ERROR_CODES)('%s', (code) => {
  test('has a page with our own text and the reference to quote', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { service, rowan } = await openSignedIn();
    service.answers.createConnectSession = () => {
      throw refusal(code, { retryAfterSeconds: 60 });
    };
    const { status, text, headers } = await rowan.post('/connect/b', { capability: 'PROFILE' });
    expect(status).toBe(ERRORS[code].status);
    expect(text).toContain(ERRORS[code].title);
    const shown = code === 'RATE_LIMITED' ? TOO_MANY_UNFINISHED.connects : ERROR_TEXTS[code];
    expect(text).toContain(shown.replaceAll("'", '&#39;'));
    expect(text).toContain(CORRELATION_ID);
    expect(text).not.toContain('The service says why.');
    expect(headers.get('retry-after')).toBe('60');
  });
});

test('logs no token and no proof', async () => {
  const lines = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { service, visitor } = openStudio();
  const rowan = visitor();
  await rowan.post('/sign-in');
  await rowan.get(`/sign-in/return?ss_session_id=${service.lastIds.get('identity')}`);
  service.answers.redeemIdpIdentityResult = () => {
    throw refusal('UPSTREAM_UNAVAILABLE');
  };
  await rowan.get('/sign-in/finish');
  const logged = JSON.stringify(lines.mock.calls);
  expect(logged).toContain(CORRELATION_ID);
  for (const secret of [KEY, ...service.proofs, ...service.launchTokens]) expect(logged).not.toContain(secret);
});
