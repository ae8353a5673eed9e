import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type AppId, newId } from '../../src/basics/ids.ts';
import { deleteLogo, findBrandedApp, findLogo, updateBranding, updateLogo } from '../../src/store/apps/branding.ts';
import { asApi, test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';

test('the look of pages belongs to one app; what is not named stays', async ({ sql }) => {
  const [{ app }, other] = [await seedApp(sql), await seedApp(sql)];
  const api = asApi(sql);
  expect(await updateBranding(api, app.appId, { color: '#102030' })).toEqual({ color: '#102030', language: null });
  expect(await updateBranding(api, app.appId, { language: 'en' })).toEqual({ color: '#102030', language: 'en' });
  expect(await updateBranding(api, app.appId, { color: null })).toEqual({ color: null, language: 'en' });
  expect(await updateBranding(api, newId<AppId>(), { color: '#ffffff' })).toBeUndefined();
  const branding = { color: null, language: null, logo: null };
  expect(await findBrandedApp(api, other.app.appId)).toEqual({ name: 'Harbour Kitchen', branding });
});

test('a logo is replaced with its type and size, and belongs to one app', async ({ sql }) => {
  const [{ app }, other] = [await seedApp(sql), await seedApp(sql)];
  const api = asApi(sql);
  const logoOf = async (appId: AppId) => (await findBrandedApp(api, appId))?.branding.logo;
  const hashOf = (image: Buffer) => createHash('sha256').update(image).digest('hex');
  const first = { image: randomBytes(40), mediaType: 'image/png', width: 64, height: 32 } as const;
  const second = { image: randomBytes(40), mediaType: 'image/webp', width: 100, height: 200 } as const;
  await updateLogo(api, app.appId, first);
  await updateLogo(api, other.app.appId, first);
  await updateLogo(api, app.appId, second);
  const shown = { sha256: hashOf(second.image), mediaType: 'image/webp', width: 100, height: 200 };
  expect(await logoOf(app.appId)).toEqual(shown);
  expect(await logoOf(other.app.appId)).toMatchObject({ sha256: hashOf(first.image), width: 64 });
  expect(await findLogo(api, shown.sha256)).toEqual({ mediaType: 'image/webp', image: second.image });
  expect(await deleteLogo(api, app.appId)).toBe(true);
  expect([await deleteLogo(api, app.appId), await logoOf(app.appId)]).toEqual([false, null]);
  expect(await findLogo(api, shown.sha256)).toBeUndefined();
  expect(await logoOf(other.app.appId)).toMatchObject({ mediaType: 'image/png' });
});
