import { describe, expect, test } from 'vitest';
import { NOOR, openSignedIn, openStudio, ROWAN, scopesOf } from './visitor.ts';

const policyOf = (headers: Headers) => headers.get('content-security-policy') ?? '';
const formAction = (headers: Headers) => /form-action ([^;]+)/.exec(policyOf(headers))?.[1];

describe('the form of a launch', () => {
  test('is served to the browser session that started it, with the token in its only hidden field', async () => {
    const { service, rowan } = await openSignedIn();
    const { status, text } = await rowan.get(`/connect/launch/${await rowan.begin()}`);
    expect(status).toBe(200);
    expect(text).toContain('action="https://connect.example/api/connect/redeem"');
    expect(text).toContain(`<input type="hidden" name="launchToken" value="${service.launchTokens.at(-1)}">`);
    expect(text).toContain('<button>Continue to TikTok</button>');
  });

  test('is not served to anyone else', async () => {
    const { service, visitor } = openStudio();
    const [rowan, noor, stranger] = [visitor(), visitor(), visitor()];
    await rowan.signIn(ROWAN);
    await noor.signIn(NOOR);
    const path = `/connect/launch/${await rowan.begin()}`;
    for (const other of [noor, stranger]) {
      const { status, text } = await other.get(path);
      expect(status).toBe(403);
      expect(text).not.toContain(service.launchTokens.at(-1));
    }
    expect((await rowan.get(path)).text).toContain(service.launchTokens.at(-1));
  });

  test('may lead to the connect host alone; forms of other pages may not', async () => {
    const { visitor } = openStudio();
    const rowan = visitor();
    const first = await rowan.get('/');
    await rowan.signIn(ROWAN);
    const launch = await rowan.get(`/connect/launch/${await rowan.begin()}`);
    expect(formAction(launch.headers)).toBe('https://connect.example');
    for (const page of [first, await rowan.get('/'), await rowan.get('/connect/b'), await rowan.get('/nothing')]) {
      expect(formAction(page.headers)).toBe("'self'");
    }
  });
});

test('connects for the signed-in user and ignores a scope in the form', async () => {
  const { service, visitor } = openStudio();
  const [rowan, noor] = [visitor(), visitor()];
  await rowan.signIn(ROWAN);
  await noor.signIn(NOOR);
  await rowan.begin({ capability: 'PROFILE' });
  const lie = { externalSubjectId: 'noor', tenantKey: 'another', 'scope[externalSubjectId]': 'noor' };
  await rowan.begin({ capability: 'CONTENT_LIST', ...lie });
  await noor.begin({ capability: 'PROFILE' });
  const [honest, lied, others] = scopesOf(service);
  expect(lied).toEqual(honest);
  expect(honest?.tenantKey).toBe('studio');
  expect(others?.externalSubjectId).not.toBe(honest?.externalSubjectId);
});
