import { describe, expect, test, vi } from 'vitest';
import { createApp } from '../../examples/caller/src/app.tsx';
import { readConfig } from '../../examples/caller/src/config.ts';
import { ReadinessDocument } from '../../examples/caller/src/generated/service.ts';
import { createService, ERROR_CODES } from '../../examples/caller/src/service.ts';
import { ERRORS, TOO_MANY_UNFINISHED } from '../../examples/caller/src/texts.ts';
import { CORRELATION_ID, refusal } from './fake-service.ts';
import { KEY, openStudio, PUBLIC_URL, ROWAN, VARIABLES } from './visitor.ts';

describe.each(ERROR_CODES)('%s', (code) => {
  test('has a page with our own text and the reference to quote', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { service, visitor } = openStudio();
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    service.answers.createConnectSession = () => {
      throw refusal(code, { retryAfterSeconds: 60 });
    };
    const { status, text, headers } = await rowan.post('/connect/b', { capability: 'PROFILE' });
    expect(status).toBe(ERRORS[code].status);
    expect(text).toContain(ERRORS[code].title);
    const shown = code === 'RATE_LIMITED' ? TOO_MANY_UNFINISHED.connects : ERRORS[code].text;
    expect(text).toContain(shown.replaceAll("'", '&#39;'));
    expect(text).toContain(CORRELATION_ID);
    expect(text).not.toContain('The service says why.');
    expect(headers.get('retry-after')).toBe('60');
  });
});

describe('an unusable answer', () => {
  const service = (answer: () => Promise<Response>) =>
    createService({ url: VARIABLES.SERVICE_GRAPHQL_URL, key: KEY, fetch: answer })(ReadinessDocument, {});
  const json =
    (body: unknown, status = 200) =>
    () =>
      Promise.resolve(Response.json(body, { status }));

  test.each([
    ['a network failure', () => Promise.reject(new TypeError('fetch failed'))],
    ['the error page of a proxy', () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }))],
    [
      'the refusal of a large request',
      () => Promise.resolve(new Response('The body exceeds 65536 bytes.', { status: 413 })),
    ],
    ['JSON of another form', json(['data'])],
    ['an error without a code', json({ errors: [{ message: 'No.' }] })],
    ['an error with an unknown code', json({ errors: [{ message: 'No.', extensions: { code: 'TEAPOT' } }] })],
  ])('%s counts as UPSTREAM_UNAVAILABLE', async (_what, answer) => {
    await expect(service(answer)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });

  test('is judged by its body and not by its HTTP status', async () => {
    const errors = [{ message: 'No.', extensions: { code: 'BAD_USER_INPUT', correlationId: CORRELATION_ID } }];
    await expect(service(json({ errors }, 400))).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      correlationId: CORRELATION_ID,
    });
    await expect(service(json({ data: { integrationReadiness: null }, errors }))).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  });
});

test('the page of an unexpected error shows no details', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { service, visitor } = openStudio();
  const rowan = visitor();
  await rowan.post('/sign-in');
  await rowan.get(`/sign-in/return?ss_session_id=${service.lastIds.get('identity')}`);
  service.answers.redeemIdpIdentityResult = () => ({ status: 'COMPLETED', issuer: null, idpSub: null });
  const { status, text } = await rowan.get('/sign-in/finish');
  expect(status).toBe(500);
  expect(text).not.toContain('has no subject');
  expect(log).toHaveBeenCalled();
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

test('lists every missing or invalid variable at once', () => {
  expect(() => readConfig({ ...VARIABLES, SERVICE_API_KEY: undefined, PUBLIC_URL: `${PUBLIC_URL}/path` })).toThrow(
    /PUBLIC_URL: must be an origin[\s\S]*SERVICE_API_KEY/,
  );
  expect(() => createApp(readConfig(VARIABLES))).not.toThrow();
});
