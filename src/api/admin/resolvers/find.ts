import { PROVIDER_NAMES } from '../../../basics/codes.ts';
import type { AppId, ConnectionId } from '../../../basics/ids.ts';
import { namePeople } from '../../../domain/rules/audit-names.ts';
import type { Connection, Found, FoundKind } from '../../../generated/admin-schema.ts';
import type { Catalog } from '../../../providers/facts.ts';
import { findAdminConnection } from '../../../store/connections/admin-connections.ts';
import {
  findAuditEntries,
  findById,
  findByName,
  findByPost,
  findByShortSubject,
  type PostName,
} from '../../../store/find.ts';
import type { Mac } from '../../../vault/mac.ts';
import type { AnyContext } from '../context.ts';
import type { Queries } from '../contract.ts';
import { readIdRange } from '../id-range.ts';
import { toConnection } from '../to-graphql.ts';

type Described = Omit<Found, 'connection'>;

const readPostUrl = (facts: Catalog, text: string): PostName | undefined =>
  PROVIDER_NAMES.map((name) => facts[name].readPostUrl(text)).find((post) => post !== undefined);

/** Characters around a text that was copied from JSON or from a sentence. */
const AROUND = /[\s"'“”‘’„`,]/;

/** Not one pattern for both ends: that would take time with the square of the length. */
function trim(text: string): string {
  const chars = [...text];
  const isInside = (char: string) => !AROUND.test(char);
  return chars.slice(Math.max(0, chars.findIndex(isInside)), chars.findLastIndex(isInside) + 1).join('');
}

/** A subject as the console shortens it: `311aebdf…b5ef`, or the 8 characters of hex that open everything else. */
function readShortSubject(text: string) {
  const [, begin, end = ''] = /^(.{8})…(.{4})$/u.exec(text) ?? /^([0-9a-f]{8})$/i.exec(text) ?? [];
  return begin === undefined ? undefined : { begin, end };
}

/** Kinds of rows that belong to a person. */
const OF_PERSONS: readonly FoundKind[] = ['CONNECTION', 'JOB', 'ATTEMPT', 'SIGN_IN'];

/** A text seldom finds more, and each is one read. */
const MOST_CONNECTIONS = 20;

/** The current state of the found connections, by their ids. */
async function describeConnections(
  context: AnyContext,
  found: readonly Described[],
): Promise<ReadonlyMap<string, Connection>> {
  const ids = new Set(found.filter(({ kind }) => kind === 'CONNECTION').map(({ id }) => id as ConnectionId));
  const rows = await Promise.all(
    [...ids].slice(0, MOST_CONNECTIONS).map(async (id) => await findAdminConnection(context.sql, id)),
  );
  return new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.connectionId, toConnection(context, row)]])));
}

/** How the audit log names the person of a found thing. */
function listPersonsOf(mac: Mac, { kind, id, appId, tenantKey }: Described): readonly string[] {
  if (kind === 'PERSON' && appId !== null && tenantKey !== null)
    return namePeople(mac, { appId: appId as AppId, tenantKey, externalSubjectId: id });
  return OF_PERSONS.includes(kind) ? [id] : [];
}

export const Query = {
  find: async ({ text: given }, context) => {
    const { facts, mac, showed, sql } = context;
    const text = trim(given);
    if (text === '') return [];
    const range = readIdRange(text);
    const postOfUrl = readPostUrl(facts, text);
    const short = readShortSubject(text);
    const [byId, byName, byShort, byPost, entries] = await Promise.all([
      range === undefined ? [] : findById(sql, range),
      findByName(sql, text),
      short === undefined ? [] : findByShortSubject(sql, short),
      findByPost(sql, postOfUrl ?? { id: text }),
      range === undefined ? [] : findAuditEntries(sql, range),
    ]);
    // The thing with the id shows its own entries.
    const audit = byId.length === 0 ? entries : [];
    // The URL of a post has its account's handle, too. That helps only where the post is not stored.
    const named = postOfUrl !== undefined && byPost.length > 0 ? [] : byName;
    const seen = new Map<string, Described>();
    for (const found of [...byId, ...named, ...byShort, ...byPost, ...audit]) {
      const key = [found.kind, found.appId, found.tenantKey, found.id].join(' ');
      if (!seen.has(key)) seen.set(key, found);
    }
    const answer = [...seen.values()];
    showed(answer.flatMap((found) => listPersonsOf(mac, found)));
    const connections = await describeConnections(context, answer);
    return answer.map((found) => ({ ...found, connection: connections.get(found.id) ?? null }));
  },
} satisfies Partial<Queries>;
