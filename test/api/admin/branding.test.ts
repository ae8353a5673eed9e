import { createHash, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { CONNECT_URL } from '../../kit/caller.ts';
import {
  type Chunk,
  extendedChunk,
  losslessChunk,
  lossyChunk,
  makePng,
  makePngOfBytes,
  makeWebp,
  PNG_SIGNATURE,
  pngChunk,
} from '../../kit/images.ts';
import { createTestAdmin, type Operator, refusalOf, type TestAdmin } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';

const BRANDING = 'branding { color language logo { url sha256 mediaType width height } }';
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
  test('are none at first, and each is set, kept and ended by itself', async () => {
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
  const accepted: [string, Buffer, object][] = [
    ['a PNG', makePng(16, 1024), { mediaType: 'image/png', width: 16, height: 1024 }],
    ['a lossless WebP', makeWebp([losslessChunk(17, 300)]), { mediaType: 'image/webp', width: 17, height: 300 }],
    ['a lossy WebP', makeWebp([lossyChunk(1024, 16)]), { mediaType: 'image/webp', width: 1024, height: 16 }],
    [
      'an extended WebP',
      makeWebp([
        extendedChunk(64, 32, 0x10),
        { type: 'ALPH', data: Buffer.alloc(3) },
        lossyChunk(64, 32),
        { type: 'EXIF', data: Buffer.alloc(5) },
      ]),
      { mediaType: 'image/webp', width: 64, height: 32 },
    ],
    ['a PNG of 32 KiB', makePngOfBytes(32_768), { width: 64 }],
  ];
  test.for(accepted)('%s is stored, with the URL of its content', async ([_name, image, shape]) => {
    const sha256 = createHash('sha256').update(image).digest('hex');
    await setLogo(image);
    const { logo } = await readBranding();
    expect(logo).toMatchObject({ ...shape, sha256, url: `${CONNECT_URL}/api/connect/logo/${sha256}` });
  });

  const INCOMPLETE = 'must be a complete PNG or WebP image';
  const png = makePng(64, 64);
  const animated = [extendedChunk(64, 64, 2), { type: 'ANIM', data: Buffer.alloc(6) }];
  const PNG_HEADER = png.subarray(8, 33);
  const PNG_END = png.subarray(-12);
  const withBytes = (image: Buffer, at: number, bytes: Iterable<number>) => {
    const changed = Buffer.from(image);
    changed.set([...bytes], at);
    return changed;
  };
  const withData = ({ type, data }: Chunk, at: number, bytes: number[]) => ({ type, data: withBytes(data, at, bytes) });
  const refused: [string, Buffer, string][] = [
    ['nothing', Buffer.alloc(0), 'must be in base64'],
    ['a PNG of one byte too many', makePngOfBytes(32_769), 'must be at most 32768 bytes; this has 32769'],
    ['a PNG that is too small', makePng(15, 64), 'must be 16 to 1024 pixels wide and high; this is 15 × 64'],
    ['a PNG that is too wide', makePng(1025, 64), 'must be 16 to 1024 pixels wide and high; this is 1025 × 64'],
    [
      'a WebP that is too high',
      makeWebp([losslessChunk(64, 1025)]),
      'must be 16 to 1024 pixels wide and high; this is 64 × 1025',
    ],
    ['an animated PNG', makePng(64, 64, { more: [{ type: 'acTL', data: Buffer.alloc(8) }] }), 'must not be animated'],
    ['an animated WebP', makeWebp([...animated, { type: 'ANMF', data: Buffer.alloc(30) }]), 'must not be animated'],
    ['a WebP that says it is animated', makeWebp([extendedChunk(64, 64, 2), lossyChunk(64, 64)]), INCOMPLETE],
    ['a WebP whose canvas is larger', makeWebp([extendedChunk(4_000, 64), lossyChunk(64, 64)]), INCOMPLETE],
    ['a WebP without an image', makeWebp([extendedChunk(64, 64)]), INCOMPLETE],
    ['a WebP that is cut off', makeWebp([lossyChunk(64, 64)]).subarray(0, -4), INCOMPLETE],
    ['a WebP with more behind it', Buffer.concat([makeWebp([lossyChunk(64, 64)]), png]), INCOMPLETE],
    ['a WebP whose length is wrong', withBytes(makeWebp([lossyChunk(64, 64)]), 4, [2]), INCOMPLETE],
    ['a sound file with an image', withBytes(makeWebp([lossyChunk(64, 64)]), 8, Buffer.from('WAVE')), INCOMPLETE],
    ['an empty WebP', makeWebp([]), INCOMPLETE],
    [
      'a WebP that begins with another chunk',
      makeWebp([{ type: 'EXIF', data: Buffer.alloc(4) }, lossyChunk(64, 64)]),
      INCOMPLETE,
    ],
    ['a WebP whose canvas is higher', makeWebp([extendedChunk(64, 4_000), lossyChunk(64, 64)]), INCOMPLETE],
    [
      'a WebP whose extended header is cut off',
      makeWebp([{ type: 'VP8X', data: Buffer.alloc(9) }, lossyChunk(64, 64)]),
      INCOMPLETE,
    ],
    ['a lossy WebP without its start code', makeWebp([withData(lossyChunk(64, 64), 3, [0x9e])]), INCOMPLETE],
    ['a lossy WebP of a frame that needs another', makeWebp([withData(lossyChunk(64, 64), 0, [0x11])]), INCOMPLETE],
    ['a lossless WebP without its signature', makeWebp([withData(losslessChunk(64, 64), 0, [0x2e])]), INCOMPLETE],
    ['a WebP without pixels', makeWebp([{ type: 'VP8L', data: Buffer.from([0x2f, 0, 0, 0, 0]) }]), INCOMPLETE],
    ['a PNG that is cut off', png.subarray(0, -12), INCOMPLETE],
    ['a PNG with more behind it', Buffer.concat([png, Buffer.from('<script>')]), INCOMPLETE],
    ['a PNG with a chunk behind its end', Buffer.concat([png, PNG_END]), INCOMPLETE],
    ['a PNG without pixels', Buffer.concat([PNG_SIGNATURE, PNG_HEADER, PNG_END]), INCOMPLETE],
    [
      'a PNG whose header is too long',
      Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', Buffer.alloc(14, 64)), png.subarray(33)]),
      INCOMPLETE,
    ],
    ['a damaged PNG', Buffer.from(png).fill(7, 45, 50), INCOMPLETE],
    [
      'a PNG without a header',
      Buffer.concat([PNG_SIGNATURE, pngChunk('IDAT', png), pngChunk('IEND', Buffer.alloc(0))]),
      INCOMPLETE,
    ],
    ['a PNG whose chunk is endless', Buffer.concat([PNG_SIGNATURE, Buffer.alloc(40, 0xff)]), INCOMPLETE],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), INCOMPLETE],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00', 'latin1'), INCOMPLETE],
    ['a JPEG', Buffer.from('ffd8ffe000104a46494600010100', 'hex'), INCOMPLETE],
  ];
  test.for(refused)('%s is refused, and the logo before stays', async ([_name, image, fault]) => {
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

  test('leaves its name and its app in the audit log and nowhere its bytes', async ({ sql }) => {
    const image = makePng(48, 48, { gray: 77 });
    await setLogo(image);
    const [entry] = await sql`select * from audit_log where target = ${appId} order by audit_id desc limit 1`;
    expect(entry).toMatchObject({ action: 'setLogo', outcome: 'DONE', related: [] });
    const part = image.toString('base64').slice(20, 60);
    expect(JSON.stringify(entry)).not.toContain(part);
    expect(admin.lines.join('')).not.toContain(part);
  });
});

test('only an ADMIN brands an app, and only an app that exists', async () => {
  const image = makePng(64, 64).toString('base64');
  for (const [document, variables] of [
    [SET, { color: '#123456' }],
    [SET_LOGO, { image }],
    [REMOVE_LOGO, {}],
  ] as const) {
    expect((await refusalOf(admin.as('OPERATOR')(document, { a: appId, ...variables }))).code).toBe('FORBIDDEN');
    expect((await refusalOf(operator(document, { a: randomUUID(), ...variables }))).code).toBe('NOT_FOUND');
  }
});
