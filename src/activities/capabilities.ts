import type { Capability } from '../basics/codes.ts';
import { type ProviderErrorType, ruleOf } from '../basics/failures.ts';
import type { GrantId } from '../basics/ids.ts';
import { listOfSamePermission } from '../providers/facts.ts';
import { type Access, type Call, ProviderError } from '../providers/provider.ts';
import {
  type ConnectionWithFacts,
  suspendCapabilities,
  updateCapability,
  withdrawCapabilities,
} from '../store/connections/connections.ts';
import { postponeUpkeep } from '../store/connections/upkeep.ts';
import { getBusinessTime } from '../store/driver/sql.ts';
import { findGrant, type Grant } from '../store/grants/grants.ts';
import { confirmUnusable, confirmWithdrawal } from './confirm-refusals.ts';
import type { Deps } from './deps.ts';
import { callWithFreshToken } from './tokens.ts';

/** The wait before the next check of a withdrawn capability. */
const RECHECK_SECONDS = 24 * 60 * 60;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Each read of the account shows PROFILE. */
const isWithdrawn = ({ capability, reason }: { readonly capability: Capability; readonly reason: string | null }) =>
  reason === 'PERMISSION_WITHDRAWN' && capability !== 'PROFILE';

/** What the platform no longer serves, as a failed call with a grant shows. */
const findWithdrawal = (type: ProviderErrorType) => ruleOf(type).grant.withdraws;

/**
 * Notes what the platform no longer serves of a connection, if the failure of a call with its grant shows that.
 * @param of.capability the one that was called, or null if the connection does not have it
 * @throws ProviderError `RetryLater` while that may be a fault of the provider
 */
export async function followWithdrawal(
  deps: Deps,
  error: unknown,
  { capability, ...of }: { connection: ConnectionWithFacts; grant: Grant; capability: Capability | null },
  signal: AbortSignal,
): Promise<void> {
  const withdraws = error instanceof ProviderError ? findWithdrawal(error.type) : undefined;
  if (withdraws === 'CAPABILITY' && capability !== null) await withdrawCapability(deps, of, capability, signal);
  if (withdraws === 'ACCOUNT') await suspendUnusable(deps, of.grant, signal);
}

/**
 * Notes that a permission was withdrawn, as a call with the grant showed it, for every capability that needs it. The next upkeep
 * checks it again, a day later.
 * @throws ProviderError `RetryLater` while that may be a fault of the provider
 */
async function withdrawCapability(
  deps: Deps,
  { connection, grant }: { connection: ConnectionWithFacts; grant: Grant },
  capability: Capability,
  signal: AbortSignal,
): Promise<void> {
  const way = capability === 'PROFILE' ? 'READ' : 'POSTS';
  const others = connection.capabilities.flatMap((one) => (one.availability === 'AVAILABLE' ? one.capability : []));
  const { providerAccountId } = connection;
  await confirmWithdrawal(deps, grant, { way, others, providerAccountId }, signal);
  await withdrawCapabilities(deps.sql, grant.grantId, listOfSamePermission(deps.facts[grant.provider], capability));
  if (grant.connectionId !== null)
    await postponeUpkeep(deps.sql, grant.connectionId, RECHECK_SECONDS, { hasFailed: false });
}

/**
 * Notes that an account can no longer be served, as a call with its grant showed: its channel is gone, or it is no longer a professional
 * account. The grant lives. The next upkeep checks the account again, a day later.
 * @throws ProviderError `RetryLater` while that may be a fault of the provider
 */
async function suspendUnusable(deps: Deps, grant: Grant, signal: AbortSignal): Promise<void> {
  await confirmUnusable(deps, grant, signal);
  await suspendCapabilities(deps.sql, grant.grantId);
  if (grant.connectionId !== null)
    await postponeUpkeep(deps.sql, grant.connectionId, RECHECK_SECONDS, { hasFailed: false });
}

/** Withdraws the capabilities whose permission the last refresh of the grant no longer named. */
export async function withdrawUngranted(
  deps: Deps,
  { connection, grantId }: { connection: ConnectionWithFacts; grantId: GrantId },
  signal: AbortSignal,
): Promise<void> {
  const grant = await findGrant(deps.sql, grantId);
  const lost = connection.capabilities.find(
    ({ capability, availability }) =>
      grant && availability === 'AVAILABLE' && !deps.facts[grant.provider].isGranted(capability, grant.permissions),
  );
  if (grant && lost) await withdrawCapability(deps, { connection, grant }, lost.capability, signal);
}

/** Reads one post with each withdrawn capability. Those that work are available again; the others are tried in a day. */
export async function recheckWithdrawn(
  deps: Deps,
  { connection, grant }: { connection: ConnectionWithFacts; grant: Grant },
  signal: AbortSignal,
): Promise<void> {
  const withdrawn = connection.capabilities.filter(isWithdrawn);
  for (const { capability } of withdrawn) {
    const read = (access: Access, call: Call) => readNewest(deps, grant, { access, capability }, call);
    const works = await callWithFreshToken(
      deps,
      grant.grantId,
      signal,
      async ({ accessToken, permissions }, call) =>
        await read({ accessToken, permissions, providerAccountId: connection.providerAccountId }, call),
      { purpose: { for: 'ACCOUNT', connectionId: connection.connectionId } },
    ).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ProviderError && findWithdrawal(error.type) === 'CAPABILITY') return false;
        throw error;
      },
    );
    if (works) await updateCapability(deps.sql, grant.grantId, { capability, availability: 'AVAILABLE', reason: null });
    else await postponeUpkeep(deps.sql, connection.connectionId, RECHECK_SECONDS, { hasFailed: false });
  }
}

async function readNewest(
  deps: Deps,
  { provider }: Pick<Grant, 'provider'>,
  { access, capability }: { access: Access; capability: Capability },
  call: Call,
): Promise<void> {
  const now = await getBusinessTime(deps.sql);
  const window = { publishedAfter: new Date(now.getTime() - DAY_MS), publishedBefore: now };
  const withMetrics = capability === 'CONTENT_METRICS';
  await deps.providers[provider].listContent(access, { window, cursor: null, limit: 1, withMetrics }, call);
}
