import path from 'node:path';
import { z } from 'zod';
import type { AdminTokenId } from '../../src/basics/ids.ts';
import { Secret } from '../../src/basics/secret.ts';
import { ADMIN_TOKEN_LIFE_DAYS } from '../../src/domain/rules/input-rules.ts';
import { openDatabase } from '../../src/store/driver/sql.ts';
import { findAdminToken, insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';
import type { StackSettings } from './settings.ts';

const Kept = z.object({ tokenId: z.string(), token: z.string() });

/** Creates an admin token for the developer who runs this stack. Reuses it as long as the database exists. */
export async function seedAdminToken({ databaseUrl, folder }: StackSettings): Promise<string> {
  const file = path.join(folder, 'admin-token.json');
  const sql = openDatabase(new Secret(databaseUrl), { poolSize: 1, applicationName: 'local-stack' });
  try {
    const kept = readPrivateJson(file, Kept);
    const known = kept && (await findAdminToken(sql, kept.tokenId as AdminTokenId));
    if (kept && known?.usable) return kept.token;
    const expiresAt = new Date(Date.now() + ADMIN_TOKEN_LIFE_DAYS * 24 * 60 * 60 * 1000);
    const made = await insertAdminToken(sql, { label: 'Local stack', role: 'ADMIN', expiresAt });
    writePrivateJson(file, made);
    return made.token;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
