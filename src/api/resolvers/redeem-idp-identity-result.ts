import { z } from 'zod';
import { ServiceError } from '../../basics/errors.ts';
import type { AttemptId } from '../../basics/ids.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { isTenant } from '../../store/apps/tenants.ts';
import { redeemIdentityResult } from '../../store/attempts/identity-attempts.ts';
import { inTransaction } from '../../store/driver/sql.ts';
import { associatedData } from '../../vault/associated-data.ts';
import type { Context } from '../context.ts';
import { parseArgs, RedeemIdpIdentityResultArgs } from '../inputs.ts';
import { sha256 } from '../tokens.ts';

const Claims = z.object({
  issuer: z.string(),
  idpSub: z.string(),
  email: z.string().nullable(),
  emailVerified: z.boolean().nullable(),
  name: z.string().nullable(),
  pictureUrl: z.string().nullable(),
});

const NO_CLAIMS = { issuer: null, idpSub: null, email: null, emailVerified: null, name: null, pictureUrl: null };

export const redeemIdpIdentityResult: MutationResolvers['redeemIdpIdentityResult'] = async (_root, args, context) => {
  const { app, sql } = context;
  const { id: attemptId, tenantKey, resultProof } = parseArgs(RedeemIdpIdentityResultArgs, args);
  if (attemptId === undefined) throw nothingToRedeem();
  const proofSha256 = sha256(resultProof);
  return await inTransaction(sql, async (tx) => {
    const result = await redeemIdentityResult(tx, { appId: app.appId, attemptId, tenantKey, proofSha256 });
    if (!result || !(await isTenant(tx, app.appId, tenantKey))) throw nothingToRedeem();
    const { status, sealedClaims } = result;
    // Opened before the commit, so that claims that fail to open are not spent.
    return { status, ...(sealedClaims === null ? NO_CLAIMS : await openClaims(context, attemptId, sealedClaims)) };
  });
};

const nothingToRedeem = () =>
  new ServiceError('NOT_FOUND', 'There is no such sign-in for this tenant and proof, or it has been redeemed.');

async function openClaims(
  { openEdge }: Context,
  attemptId: AttemptId,
  sealed: string,
): Promise<z.infer<typeof Claims>> {
  const opened = await openEdge(sealed, associatedData.identityClaims(attemptId));
  return Claims.parse(JSON.parse(opened.reveal()));
}
