import { describeRefusal } from '../../../domain/texts/refusal-texts.ts';
import { findAdminSignIn } from '../../../store/attempts/admin-sign-ins.ts';
import { WORKFLOWS } from '../../../workflows/contract.ts';
import type { Queries } from '../contract.ts';
import { getExisting } from './lookups.ts';

export const Query = {
  signIn: async ({ id }, { sql, temporalUi }) => {
    const { attemptId, ...found } = await getExisting('sign-in', id, (known) => findAdminSignIn(sql, known));
    const workflowId = found.codeArrivedAt && WORKFLOWS.identityAttempt.id({ attemptId });
    return {
      id: attemptId,
      ...found,
      lastRefusalMessage: describeRefusal(found.lastRefusal),
      workflowId,
      workflowUrl: workflowId && temporalUi.workflow(workflowId),
    };
  },
} satisfies Partial<Queries>;
