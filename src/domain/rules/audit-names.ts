import type { AppId } from '../../basics/ids.ts';
import type { Mac } from '../../vault/mac.ts';
import { buildReceiptParts } from '../disconnecting/receipts.ts';

/** A tenant of an app, or one subject of it. */
export interface PeopleNamed {
  readonly appId: AppId;
  readonly tenantKey: string;
  readonly externalSubjectId: string | null;
}

/**
 * Names a tenant, and the subject if one is given, for the audit log: by keyed hashes, because an entry outlives the
 * erasure of its subject. The hash of a subject is the one that its receipts have.
 */
export const namePeople = (mac: Mac, people: PeopleNamed): string[] =>
  partsOf(people).map(([kind, parts]) => `${kind}:${mac.of(...parts).toString('base64url')}`);

/** Lists the names of the subject, or else of the tenant, with every key, to find entries. */
export const listNamesOf = (mac: Mac, people: PeopleNamed): string[] =>
  partsOf(people)
    .slice(-1)
    .flatMap(([kind, parts]) => mac.allOf(...parts).map((hash) => `${kind}:${hash.toString('base64url')}`));

type Parts = readonly [purpose: string, ...string[]];

function partsOf({ appId, tenantKey, externalSubjectId }: PeopleNamed): (readonly [kind: string, Parts])[] {
  const tenant = ['tenant', ['tenant', appId, tenantKey]] as const;
  if (externalSubjectId === null) return [tenant];
  return [tenant, ['subject', buildReceiptParts(appId, { tenantKey, externalSubjectId })]];
}
