import { cut, formatLastUse, formatSecond } from './format.ts';

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
