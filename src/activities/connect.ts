import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { toFailureType } from '../basics/failures.ts';
import { type AttemptId, type GrantId, newId } from '../basics/ids.ts';
import { mayConnect } from '../domain/access/may-connect.ts';
import { buildConnectRedirectUri } from '../domain/connecting/redirect-uris.ts';
import { listPrincipalMacs } from '../domain/reach.ts';
import { type Call, ProviderError } from '../providers/provider.ts';
import { recordAttemptCause } from '../store/attempts/attempt-causes.ts';
import { type Attempt, connectAttempts, unclaimExchange } from '../store/attempts/attempts.ts';
import { inTransaction } from '../store/driver/sql.ts';
import { findGrantOfAttempt, insertGrant, updateGrantAccount } from '../store/grants/grants.ts';
import { associatedData } from '../vault/associated-data.ts';
import { toCause } from './answer-cause.ts';
import type { Deps } from './deps.ts';
import { createInterruption, createRefusal } from './failures.ts';
import { sealTokens, storeWithRetries } from './grant-tokens.ts';
import { nameInLog } from './log-context.ts';
import { logConnectRecovery } from './log-tries.ts';
import { createStepSignal } from './provider-activity.ts';
import { callAsClient } from './registration-calls.ts';
import { requirePermit, toRefusal } from './require-permit.ts';
import { callWithFreshToken } from './tokens.ts';

/** An attempt's calls to the provider. */
export function createConnectActivities(deps: Deps) {
  const { exchangeCode, readAccount } = createConnectSteps(deps);
  return {
    /**
     * Exchanges the attempt's code for a grant, then reads its account. Both in one activity, since the second always
     * follows the first; a repeated one continues with the step that is left. @throws as the steps do
     */
    async obtainGrant(attempt: { attemptId: AttemptId }): Promise<void> {
      await recordingCause(deps, 'connect_attempt', attempt, async () => {
        const begun = await exchangeCode(attempt);
        // Reading spends nothing: an answer in an unknown format may be a temporary fault.
        await readAccount(attempt).catch((error: unknown) => {
          throw error instanceof ProviderError ? error.asRepeatable() : error;
        });
        if (begun !== undefined) logConnectRecovery(deps.log, begun);
      });
    },
  };
}

/** If the work fails, stores the platform's answer for operators: Temporal's history must not contain its codes. */
export async function recordingCause(
  { sql, log }: Deps,
  table: 'connect_attempt' | 'identity_attempt',
  { attemptId }: { attemptId: AttemptId },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ProviderError && error.type !== 'OwnRateLimit') {
      // The workflow needs the failure itself.
      await recordAttemptCause(sql, table, attemptId, toCause(error)).catch((failed: unknown) =>
        log.warn('Could not record the last answer of an attempt', { attemptId, error: failed }),
      );
    }
    throw error;
  }
}

/** The steps of `obtainGrant`. Each is safe to repeat. @internal */
export const createConnectSteps = (deps: Deps) => ({
  /**
   * Exchanges the attempt's code for a grant. Claims the code in its row before the call. A claim without a grant means a
   * spent code, which is never sent again, unless the provider answered that it did not accept the code.
   * @returns the attempt as it was before this try
   * @throws an `AttemptDenial` of `may-connect.ts` | `NotWanted` | `Interrupted` | `RetryLater` | `GrantDead` | `ClientRejected` | `ContractBroken`
   */
  async exchangeCode({ attemptId }: { attemptId: AttemptId }): Promise<Attempt | undefined> {
    const { sql, providers } = deps;
    const [attempt, stored] = await Promise.all([
      connectAttempts.find(sql, attemptId),
      findGrantOfAttempt(sql, attemptId),
    ]);
    if (stored) return attempt; // Just before a time-out.
    if (attempt?.status !== 'EXCHANGING' || attempt.sealedCode === null) {
      throw createRefusal('NotWanted', 'The attempt has ended.');
    }
    nameInLog(attempt, { attemptId });
    const denial = await mayConnect(deps, sql, attempt, 'exchange');
    if (denial !== undefined) throw toRefusal(denial);
    const code = await deps.vault.openInbox(attempt.sealedCode, associatedData.code(attemptId));
    const codeVerifier =
      attempt.sealedCodeVerifier === null
        ? null
        : await deps.vault.openInbox(attempt.sealedCodeVerifier, associatedData.codeVerifier(attemptId));
    if (!(await connectAttempts.claimExchange(sql, attemptId))) {
      if ((await connectAttempts.find(sql, attemptId))?.expired)
        throw createRefusal('NotWanted', 'The attempt has expired.');
      // A platform's failure ends the attempt: only a try of ours that crashed leaves its claim to the next one.
      throw createInterruption('Interrupted', 'The code was sent before, and our worker lost its answer.');
    }
    const redirectUri = buildConnectRedirectUri(deps.connectUrl, deps.facts[attempt.provider]);
    const input = { code, codeVerifier, redirectUri };
    let isSent = false;
    const watch = (meter: Call): Call => ({
      ...meter,
      async admit(request) {
        const permit = await meter.admit(request);
        isSent = true;
        return permit;
      },
    });
    try {
      const { tokens, principal } = await callAsClient(
        deps,
        { ...attempt, purpose: { for: 'ATTEMPT', attemptId } },
        { signal: createStepSignal(), whenRefused: 'FAIL', queue: 'CONNECTS', provesClient: true },
        (client, meter) => providers[attempt.provider].exchangeCode(client, input, watch(meter)),
      );
      const grantId = newId<GrantId>();
      const grant = {
        grantId,
        attemptId,
        scopeId: attempt.scopeId,
        provider: attempt.provider,
        registrationId: attempt.registrationId,
        principalMacs: principal === null ? [] : await listPrincipalMacs(deps, sql, attempt.registrationId, principal),
        permissions: tokens.permissions,
        sealedTokens: await sealTokens(deps, tokens, associatedData.tokens(grantId)),
        accessExpiresAt: tokens.accessExpiresAt,
        refreshExpiresAt: tokens.refreshExpiresAt,
      };
      await storeWithRetries(cancellationSignal(), () => insertGrant(sql, grant));
      return attempt;
    } catch (error) {
      if (isSent && error instanceof ApplicationFailure) {
        // A permit was refused between the calls of one exchange: the grant exists, but its tokens are lost.
        throw createInterruption(toFailureType(error.type), 'The attempt was stopped during its exchange.');
      }
      const isRefusedPermit = error instanceof ApplicationFailure;
      if (isRefusedPermit || (error instanceof ProviderError && !error.outcomeUnknown))
        await unclaimExchange(sql, attemptId);
      throw error;
    }
  },

  /**
   * Reads the account of the new grant, and its profile.
   * @throws `AccountUnusable` | `PermissionMissing` | `GrantDead` | `RetryLater` | `ContractBroken`
   */
  async readAccount({ attemptId }: { attemptId: AttemptId }): Promise<void> {
    const grant = await findGrantOfAttempt(deps.sql, attemptId);
    if (!grant) throw createRefusal('NotWanted', 'The attempt has no grant.');
    const provider = deps.providers[grant.provider];
    const purpose = { for: 'ATTEMPT', attemptId } as const;
    const account = await callWithFreshToken(
      deps,
      grant,
      createStepSignal(),
      ({ accessToken, permissions }, meter) => provider.readAccount({ accessToken, permissions }, meter),
      { purpose, queue: 'CONNECTS' },
    );
    const ids = [account.providerAccountId, ...account.aliasIds];
    const accountMacs = ids.map((id) => deps.mac.of('account', grant.registrationId, id));
    await inTransaction(deps.sql, async (tx) => {
      await requirePermit(tx, purpose);
      await updateGrantAccount(tx, grant.grantId, {
        providerAccountId: account.providerAccountId,
        accountMacs,
        profile: account.profile,
      });
    });
  },
});
