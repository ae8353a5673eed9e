import { z } from 'zod';
import { PAGE_LANGUAGES } from '../../basics/codes.ts';
import type { AppId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { findRow, findValue, hasRows } from '../rows.ts';

const LogoShape = z.object({
  /** In hexadecimal. */
  sha256: z.string(),
  /** In pixels. */
  width: z.number(),
  height: z.number(),
});

/** The look of an app's pages. Null is the service's own look, and the browser's language. */
export const Branding = z.object({
  /** As `#rrggbb`, in small letters. */
  color: z.string().nullable(),
  language: z.enum(PAGE_LANGUAGES).nullable(),
  logo: LogoShape.nullable(),
});
export type Branding = z.infer<typeof Branding>;

/** An image that the rules for logos have accepted. */
export interface Logo extends Omit<z.infer<typeof LogoShape>, 'sha256'> {
  readonly image: Buffer;
}

/** The branding as JSON, in a query over `app`. */
export const brandingJson = (sql: Sql) => sql`
  jsonb_build_object('color', page_color, 'language', page_language, 'logo', (
    select jsonb_build_object('sha256', encode(sha256, 'hex'), 'width', width, 'height', height)
    from app_logo l where l.app_id = app.app_id
  ))
`;

const BrandedApp = z.object({ name: z.string(), branding: Branding });

/** The name and the branding of an app, for a page. */
export async function findBrandedApp(sql: Sql, appId: AppId): Promise<z.infer<typeof BrandedApp> | undefined> {
  return await findRow(sql, BrandedApp)`select name, ${brandingJson(sql)} as branding from app where app_id = ${appId}`;
}

/** The columns of `app` with the first two. */
export interface PageSettings {
  readonly pageColor: Branding['color'];
  readonly pageLanguage: Branding['language'];
}

/** Replaces the app's logo. */
export async function updateLogo(sql: Sql, appId: AppId, { image, width, height }: Logo): Promise<void> {
  await sql`
    insert into app_logo (app_id, sha256, width, height, image)
    values (${appId}, sha256(${image}), ${width}, ${height}, ${image})
    on conflict (app_id) do update set sha256 = excluded.sha256, width = excluded.width, height = excluded.height, image = excluded.image
  `;
}

/** @returns whether the app had a logo. */
export async function deleteLogo(sql: Sql, appId: AppId): Promise<boolean> {
  return await hasRows(sql)`delete from app_logo where app_id = ${appId}`;
}

/** @returns a PNG. @param sha256 in hexadecimal. Apps with the same image share it. */
export async function findLogo(sql: Sql, sha256: string): Promise<Buffer | undefined> {
  return await findValue(sql, z.instanceof(Buffer))`
    select image from app_logo where sha256 = decode(${sha256}, 'hex') limit 1
  `;
}
