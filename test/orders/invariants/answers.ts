import type { Answer, RootField } from '../../kit/graphql.ts';
import type { Facts } from '../facts.ts';
import type { World } from '../world.ts';

/** The final part of a caller's answer; undefined if it may still change. */
const FINAL: Readonly<Partial<Record<RootField, (answer: Answer) => object | undefined>>> = {
  connectSessionResult: ({ status, resultCode, connectionId }) =>
    ['CREATED', 'AUTHORIZING', 'EXCHANGING'].includes(status) ? undefined : { status, resultCode, connectionId },
  syncJob: ({ status, errorCode, resultProviderContentId, incompleteReason }) =>
    ['QUEUED', 'RUNNING'].includes(status)
      ? undefined
      : { status, errorCode, resultProviderContentId, incompleteReason },
};

/** Repeats the callers' reads: final answers do not change. */
export async function checkFinalAnswers(world: World, { app, answers }: Facts, mayReopen: boolean): Promise<string[]> {
  const broken: string[] = [];
  for (const { field, variables, answer } of answers) {
    const final = typeof answer === 'string' ? undefined : FINAL[field]?.(answer);
    if (final === undefined || (field === 'syncJob' && mayReopen)) continue;
    const again = await world.refusalIsAnswer(world.callerFor(app.app)(field, variables));
    // It can be read for its time only, and while the tenant is registered.
    if (typeof again === 'string') continue;
    if (JSON.stringify(FINAL[field]?.(again)) !== JSON.stringify(final))
      broken.push(`A caller has read ${JSON.stringify(final)}, and later something else, by ${field}`);
  }
  // The claims of a sign-in are given out once.
  const redeemed = answers.filter(
    ({ field, answer }) =>
      field === 'redeemIdpIdentityResult' && typeof answer !== 'string' && answer.status !== 'PENDING',
  );
  if (redeemed.length > 1) broken.push('A sign-in is redeemed twice');
  // One disconnect has one pair of receipts.
  const receipts = answers.filter(
    ({ field, answer }) => field === 'disconnectConnection' && typeof answer !== 'string',
  );
  if (new Set(receipts.map(({ answer }) => `${answer.revokeJobId} ${answer.eraseJobId}`)).size > 1)
    broken.push('Two requests to disconnect a connection got different receipts');
  return broken;
}
