import { describeRevoke, isKeyInUse, KEY_IN_USE } from '../../../basics/key-use.ts';
import type { Ask, Options } from '../../shape.ts';
import { cut, formatDistance, formatLastUse, formatSecond, msSince } from './format.ts';

interface Key {
  readonly id: string;
  readonly label: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly active: boolean;
}

const stateOf = ({ active, revokedAt }: Key) => {
  if (active) return 'active';
  return revokedAt === null ? 'expired' : 'revoked';
};

export const briefKey = (key: Key) => ({
  id: key.id,
  label: cut(key.label ?? '-', 12),
  created: formatSecond(key.createdAt).slice(0, 16),
  expires: key.expiresAt === null ? '-' : formatSecond(key.expiresAt).slice(0, 16),
  state: stateOf(key),
  lastUsed: formatLastUse(key.lastUsedAt),
});

/** The facts of a key that is about to be revoked, as in the console. Empty if it is not active. */
export async function describeKey(ask: Ask, { key: id }: Options): Promise<readonly string[]> {
  const found = await ask({ name: 'find', select: 'id appId' }, { text: id });
  const { appId } = (found as readonly { id: string; appId: string | null }[]).find((one) => one.id === id) ?? {};
  if (!appId) return [];
  const app = await ask({ name: 'app', select: 'name keys { id label createdAt lastUsedAt active }' }, { id: appId });
  const { name, keys } = app as { readonly name: string; readonly keys: readonly Key[] };
  const active = keys.filter((key) => key.active);
  const key = active.find((one) => one.id === id);
  if (key === undefined) return [];
  const label = key.label === null ? '' : ` “${key.label}”`;
  return [
    `Key${label} of ${name}, issued ${formatDistance(key.createdAt)} ago. Last used: ${formatLastUse(key.lastUsedAt)}.`,
    ...(key.lastUsedAt !== null && isKeyInUse(msSince(key.lastUsedAt)) ? [KEY_IN_USE] : []),
    describeRevoke({ isOnly: active.length === 1 }),
  ];
}
