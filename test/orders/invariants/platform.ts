import type { World } from '../world.ts';

type Consent = ReturnType<World['control']['grants']>[number];

interface GrantRow {
  readonly grantId: string;
  readonly status: string;
  readonly connectionId: string | null;
  readonly sealedTokens: string;
}

/** All rows with tokens, each with its consent at the platform. */
export async function listGrants(world: World) {
  const rows = await world.sql<GrantRow[]>`
    select grant_id, status, connection_id, sealed_tokens from account_grant where sealed_tokens is not null
  `;
  const atPlatform = world.control.grants();
  return await Promise.all(
    rows.map(async (row) => {
      const { accessToken, refreshToken } = await world.openTokensOf(row);
      const held = [accessToken, refreshToken];
      return { ...row, consent: atPlatform.find(({ tokens }) => tokens.some(({ value }) => held.includes(value))) };
    }),
  );
}

/** The grants that one revoke ends: the same person's consents in the same project, or to the same client. */
export const reachOf = ({ control }: World, { platform, principal, clientId }: Consent): string => {
  const project = control.clients().find((one) => one.clientId === clientId)?.project;
  return [platform, principal, platform === 'PROVIDER_A' ? project : clientId].join(' ');
};

/** The other rows whose consents a revoke of this one ends. */
export async function listReached(world: World, grantId: string) {
  const all = await listGrants(world);
  const own = all.find((row) => row.grantId === grantId)?.consent;
  if (own === undefined) return [];
  return all.filter(
    ({ grantId: id, consent }) =>
      id !== grantId && consent?.endedAt === null && reachOf(world, consent) === reachOf(world, own),
  );
}
