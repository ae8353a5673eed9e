import { describeFailure } from '../../../domain/texts/failure-messages.ts';
import { findDisagreement } from '../../../domain/work-state/compare-with-workflow.ts';
import { findWork } from '../../../domain/work-state/find-work.ts';
import { getBusinessTime } from '../../../store/driver/sql.ts';
import type { Queries } from '../contract.ts';
import { getExisting } from './lookups.ts';

export const Query = {
  liveState: async ({ id }, { sql, askWorkflow }) => {
    const read = () => getExisting('attempt, job or bulk disconnect', id, (known) => findWork(sql, known));
    const { workflowId, row, failures } = await read();
    const [answer, now] = await Promise.all([askWorkflow(workflowId), getBusinessTime(sql)]);
    // A try may have ended between the two answers: the row of after it then agrees.
    const differs = findDisagreement(row, answer, now) !== null;
    const disagreement = differs ? findDisagreement((await read()).row, answer, now) : null;
    if (answer.state === 'NOT_KNOWN' || answer.state === 'MISSING') {
      const { state } = answer;
      const nothing = { failing: false, progress: null, pendingActivities: [], historyLength: null, workerBuild: null };
      return { workflowId, state, ...nothing, disagreement };
    }
    const { state, failing, progress, pendingActivities, historyLength, workerBuild } = answer;
    const known = failures.find(({ lastFailure }) => lastFailure === null || lastFailure === progress?.lastCode);
    return {
      workflowId,
      state,
      failing,
      progress: progress && {
        ...progress,
        since: new Date(progress.since),
        lastFailure: describeFailure(progress.lastCode, { ...known, open: row.open }),
        waitingUntil: progress.waitingUntil === null ? null : new Date(progress.waitingUntil),
      },
      pendingActivities: [...pendingActivities],
      historyLength,
      workerBuild,
      disagreement,
    };
  },
} satisfies Partial<Queries>;
