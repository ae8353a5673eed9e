import { type AppId, asId } from '../../basics/ids.ts';
import { namePeople } from '../../domain/rules/audit-names.ts';
import type { Operation } from '../../domain/rules/roles.ts';
import { OPERATIONS } from '../../generated/admin-operations.ts';
import type { Mac } from '../../vault/mac.ts';

type Args = Readonly<Record<string, unknown>>;

/** Arguments to which data or browsers go. The log has their origin: the rest may contain a secret. */
const ADDRESSES = ['url', 'origin', 'returnUrl', 'issuer'];
/** Of characters. A longer one is refused, and reading a long host costs much. */
const LONGEST_ADDRESS = 2_048;

/**
 * Lists the names that the audit log has of an operation's arguments: the first id as its object, then other ids, closed
 * codes, origins, and keyed hashes of a tenant and a subject. The log has no other argument.
 */
export function listAuditNames(
  mac: Mac,
  operation: Operation,
  args: Args,
): { target: string | null; related: string[] } {
  const given: Args = { ...args, ...(args.input as Args | null), ...(args.filter as Args | null) };
  const listTexts = (names: readonly string[]) =>
    names.flatMap((name) => given[name]).filter((value) => typeof value === 'string');
  const { ids, codes } = OPERATIONS[operation];
  const [target = null, ...others] = listTexts(ids).flatMap((value) => asId(value) ?? []);
  const related = [
    ...others,
    ...listTexts(codes),
    ...listTexts(ADDRESSES).flatMap(findOrigin),
    ...listPeople(mac, given),
  ];
  return { target, related };
}

const findOrigin = (address: string): string[] =>
  address.length <= LONGEST_ADDRESS && URL.canParse(address) ? [new URL(address).origin] : [];

function listPeople(mac: Mac, { appId: given, tenantKey, externalSubjectId }: Args): string[] {
  const appId = typeof given === 'string' ? asId<AppId>(given) : undefined;
  if (appId === undefined || typeof tenantKey !== 'string') return [];
  return namePeople(mac, {
    appId,
    tenantKey,
    externalSubjectId: typeof externalSubjectId === 'string' ? externalSubjectId : null,
  });
}
