import { badInput, ServiceError } from '../../basics/errors.ts';
import { type AttemptId, newId } from '../../basics/ids.ts';
import { createTenantError } from '../../domain/access/may-read.ts';
import { requireHttpsInProduction } from '../../domain/rules/input-rules.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { isTenant } from '../../store/apps/tenants.ts';
import { countUnfinishedIdentityAttempts, insertIdentityAttempt } from '../../store/attempts/identity-attempts.ts';
import { inTransaction, withCommit } from '../../store/driver/sql.ts';
import { lockIdentitySettings } from '../../store/issuers/identity-settings.ts';
import { CreateIdpIdentitySessionArgs, parseArgs } from '../inputs.ts';
import { createToken } from '../tokens.ts';

/** Per app. */
const MAX_UNFINISHED = 20;

export const createIdpIdentitySession: MutationResolvers['createIdpIdentitySession'] = async (_root, args, context) => {
  const { app, config, correlationId, sql } = context;
  const { tenantKey, returnUrl } = parseArgs(CreateIdpIdentitySessionArgs, args).input;
  requireHttpsInProduction(config.DEPLOYMENT, 'input.returnUrl', returnUrl);
  const launchToken = createToken();
  const resultProof = createToken();
  const { inserted } = await inTransaction(sql, async (tx) => {
    // The count begins when the lock is taken.
    const [settings, isTenantOfApp, unfinished] = await Promise.all([
      lockIdentitySettings(tx, app.appId),
      isTenant(tx, app.appId, tenantKey),
      countUnfinishedIdentityAttempts(tx, app.appId),
    ]);
    if (!settings?.enabled)
      throw new ServiceError('CAPABILITY_UNAVAILABLE', 'The identity flow is not set up for this app.');
    if (!isTenantOfApp) throw createTenantError();
    if (returnUrl !== settings.returnUrl) {
      throw badInput('input.returnUrl', "must be exactly the app's registered identity return URL");
    }
    if (unfinished.count >= MAX_UNFINISHED) {
      throw new ServiceError('RATE_LIMITED', `The app has ${MAX_UNFINISHED} unfinished sign-ins.`, {
        retryAfterSeconds: unfinished.oldestExpiresInSeconds,
      });
    }
    const inserted = insertIdentityAttempt(tx, {
      attemptId: newId<AttemptId>(),
      appId: app.appId,
      tenantKey,
      issuerId: settings.issuerId,
      returnUrl,
      launchTokenSha256: launchToken.sha256,
      resultProofSha256: resultProof.sha256,
      correlationId,
    });
    await withCommit(tx, inserted);
    return { inserted };
  });
  const attempt = await inserted;
  return {
    id: attempt.attemptId,
    launchUrl: `${config.CONNECT_URL}/api/identity/redeem`,
    launchToken: launchToken.text,
    resultProof: resultProof.text,
    expiresAt: attempt.expiresAt,
    resultExpiresAt: attempt.resultExpiresAt,
  };
};
