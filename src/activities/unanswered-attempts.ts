import type { AttemptId } from '../basics/ids.ts';
import { connectAttempts } from '../store/attempts/attempts.ts';
import { identityAttempts } from '../store/attempts/identity-attempts.ts';
import { idsOf } from '../store/due.ts';
import { RETENTION } from '../store/retention.ts';
import type { SweepRound } from '../workflows/contract.ts';
import type { Deps } from './deps.ts';
import { createRetentionStep } from './retention-step.ts';
import { handleTogether, ROWS, type RoundOptions, runRound, type Step, type StepsOf } from './sweep-round.ts';

/**
 * Ends the attempts whose persons did not come back before the deadline, and deletes sign-ins whose claims can no longer be redeemed.
 * No workflow does it for them.
 */
export const endUnanswered = async (deps: Deps, options: Omit<RoundOptions, 'log'>): Promise<SweepRound> =>
  await runRound(createAttemptSteps(deps), { ...options, log: deps.log });

export function createAttemptSteps({ sql }: Pick<Deps, 'sql'>): StepsOf<'attempts'> {
  const endEach = ({ listUnanswered, endUnanswered }: Unanswered): Step => ({
    batch: ROWS,
    list: (page) => listUnanswered(sql, page),
    handle: handleTogether((rows) => endUnanswered(sql, idsOf(rows) as AttemptId[])),
  });
  return {
    unansweredAttempts: endEach(connectAttempts),
    unansweredSignIns: endEach(identityAttempts),
    oldIdentityAttempts: createRetentionStep(sql, RETENTION.oldIdentityAttempts),
  };
}

type Unanswered = Pick<typeof connectAttempts, 'listUnanswered' | 'endUnanswered'>;
