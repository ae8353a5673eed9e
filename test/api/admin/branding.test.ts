import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { CONNECT_URL } from '../../kit/caller.ts';
import { makePng, makePngOfBytes } from '../../kit/images.ts';
import { createTestAdmin, type Operator, refusalOf, type TestAdmin } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';

const BRANDING = 'branding { color language logo { url sha256 width height } }';
const SET = `mutation ($a: ID!, $color: String, $language: String) {
  setBranding(appId: $a, color: $color, language: $language) { ${BRANDING} } }`;
const SET_LOGO = `mutation ($a: ID!, $image: String!) { setLogo(appId: $a, image: $image) { ${BRANDING} } }`;
const REMOVE_LOGO = `mutation ($a: ID!) { removeLogo(appId: $a) { ${BRANDING} } }`;

let admin: TestAdmin;
let operator: Operator;
let appId: string;
test.beforeEach(async ({ database }) => {
  admin ??= await createTestAdmin(database.sql);
  operator = admin.as('ADMIN');
  appId = (await operator('mutation { createApp(input: { name: "Quay" }) { id } }')).createApp.id;
});

const setLogo = (image: Buffer, a = appId) => operator(SET_LOGO, { a, image: image.toString('base64') });
const readBranding = async (id = appId) =>
  (await operator(`query ($id: ID!) { app(id: $id) { ${BRANDING} } }`, { id })).app.branding;

describe('the color and the language', () => {
  test('are none at first, and each is set, kept and removed separately', async () => {
    expect(await readBranding()).toEqual({ color: null, language: null, logo: null });
    await operator(SET, { a: appId, color: '#FFee00', language: 'pt-BR' });
    expect(await readBranding()).toEqual({ color: '#ffee00', language: 'pt-BR', logo: null });
    const kept = `mutation ($a: ID!) { setBranding(appId: $a, language: "de") { ${BRANDING} } }`;
    expect((await operator(kept, { a: appId })).setBranding.branding).toMatchObject({
      color: '#ffee00',
      language: 'de',
    });
    await operator(SET, { a: appId, color: null, language: null });
    expect(await readBranding()).toEqual({ color: null, language: null, logo: null });
  });

  test.for([
    ['color', 'red', 'must have the form #rrggbb'],
    ['color', '#fff', 'must have the form #rrggbb'],
    ['color', '#ffffff80', 'must have the form #rrggbb'],
    ['color', '#ffffff\n', 'must have the form #rrggbb'],
    ['color', '#fff;}</style><script>', 'must have the form #rrggbb'],
    ['color', '', 'must have the form #rrggbb'],
    ['language', 'pt', 'must be one of en, de, fr, es, pt-BR'],
    ['language', 'EN', 'must be one of en, de, fr, es, pt-BR'],
    ['language', '"><script>', 'must be one of en, de, fr, es, pt-BR'],
    ['language', '', 'must be one of en, de, fr, es, pt-BR'],
  ] as const)('%s %j is refused', async ([name, value, fault]) => {
    const refusal = await refusalOf(operator(SET, { a: appId, [name]: value }));
    expect(refusal.message).toBe(`BAD_USER_INPUT: ${name} ${fault}.`);
    expect(await readBranding()).toEqual({ color: null, language: null, logo: null });
  });
});

describe('a logo', () => {
  const png = makePng(64, 64);

  test('of 32 KiB is stored, with the URL of its content', async () => {
    const image = makePngOfBytes(32_768);
    const sha256 = createHash('sha256').update(image).digest('hex');
    await setLogo(image);
    const { logo } = await readBranding();
    expect(logo).toMatchObject({ width: 64, height: 64, sha256, url: `${CONNECT_URL}/api/connect/logo/${sha256}` });
  });

  test.for([
    ['nothing', Buffer.alloc(0), 'must be in base64'],
    ['a PNG of one byte too many', makePngOfBytes(32_769), 'must be at most 32768 bytes; this has 32769'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'must be a PNG image'],
  ] as const)('%s is refused, and the logo before stays', async ([_name, image, fault]) => {
    await setLogo(png);
    const before = await readBranding();
    expect((await refusalOf(setLogo(image))).message).toBe(`BAD_USER_INPUT: image ${fault}.`);
    expect(await readBranding()).toEqual(before);
  });

  test('that is not base64 is refused', async () => {
    for (const image of ['data:image/png;base64,AAAA', 'https://evil.example/logo.png', 'AA AA', '<svg/>']) {
      expect((await refusalOf(operator(SET_LOGO, { a: appId, image }))).message).toBe(
        'BAD_USER_INPUT: image must be in base64.',
      );
    }
  });

  test('is replaced and removed, and that of another app stays', async () => {
    const other = (await operator('mutation { createApp(input: { name: "Pier" }) { id } }')).createApp.id;
    await setLogo(png, other);
    await setLogo(makePng(20, 20));
    await setLogo(makePng(30, 30));
    expect((await readBranding()).logo).toMatchObject({ width: 30 });
    expect((await operator(REMOVE_LOGO, { a: appId })).removeLogo.branding.logo).toBeNull();
    expect((await refusalOf(operator(REMOVE_LOGO, { a: appId }))).message).toBe('NOT_FOUND: There is no such logo.');
    expect((await readBranding(other)).logo).toMatchObject({ width: 64 });
  });
});
