import type { Found } from '../../../generated/admin-schema.ts';
import { findAuditEntries, findById, findTenantsByKey, type IdRange } from '../../../store/find.ts';
import type { Queries } from '../contract.ts';

/** An id, or its beginning: at least the 8 characters that the console shows of it. */
const ID =
  /(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{0,4}){0,3}(?:(?<=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})-[0-9a-f]{0,12})?(?![0-9a-f])/i;
const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function readRange(text: string): IdRange | undefined {
  const start = ID.exec(text)?.[0].toLowerCase();
  return start === undefined
    ? undefined
    : { low: start + LOWEST.slice(start.length), high: start + HIGHEST.slice(start.length) };
}

export const Query = {
  find: async ({ text: given }, { sql }) => {
    const text = given.trim();
    const range = readRange(text);
    const [byId, tenants, entries] = await Promise.all([
      range === undefined ? [] : findById(sql, range),
      findTenantsByKey(sql, text),
      range === undefined ? [] : findAuditEntries(sql, range),
    ]);
    // What has the id shows its own entries.
    const audit = byId.length === 0 ? entries : [];
    const seen = new Map<string, Found>();
    for (const found of [...byId, ...tenants, ...audit]) {
      const key = `${found.kind} ${found.appId} ${found.id}`;
      if (!seen.has(key)) seen.set(key, found);
    }
    return [...seen.values()];
  },
} satisfies Partial<Queries>;
