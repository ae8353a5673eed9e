/** The part of a row that its workflow must agree with. */
export interface WorkInRow {
  /** True if the row has not ended. */
  readonly open: boolean;
  /** The time from which a workflow must exist; null if none must exist yet. */
  readonly beganAt: Date | null;
  readonly finishedAt: Date | null;
  /** The next try, if the row waits for one. */
  readonly nextRetryAt: Date | null;
  /** True if the workflow continues after this row has ended, as a disconnect does after its revoke. */
  readonly sharesWorkflow: boolean;
}

/** The part of a workflow's state that its row must agree with. */
interface WorkInWorkflow {
  readonly state: 'NOT_KNOWN' | 'MISSING' | 'RUNNING' | 'CLOSED';
  readonly progress?: { readonly waitingFor: string | null; readonly waitingUntil: string | null } | null;
}

/** The time that the two may take to follow each other: a delivery of the outbox, the last task of a workflow. */
const MARGIN_MS = 60_000;
/** A row and its workflow record the same instant. */
const SAME_TRY_MS = 1_000;

/** @returns a sentence for the person on call if a row and its workflow disagree, otherwise null. */
export function findDisagreement(row: WorkInRow, workflow: WorkInWorkflow, now: Date): string | null {
  if (workflow.state === 'NOT_KNOWN') return null;
  const isAged = (since: Date | null) => since !== null && now.getTime() - since.getTime() > MARGIN_MS;
  if (row.open && workflow.state === 'CLOSED') {
    return 'The row is open, but its workflow has closed. Until its next try, a retry restarts it at once; the sweep restarts or ends it within minutes after that.';
  }
  if (row.open && workflow.state === 'MISSING' && isAged(row.beganAt)) {
    return 'The row is open, but Temporal has no such workflow. The outbox starts it; see the workflows that wait to be started.';
  }
  if (!row.open && workflow.state === 'RUNNING' && !row.sharesWorkflow && isAged(row.finishedAt)) {
    return 'The row has ended, but its workflow still runs.';
  }
  const { waitingFor = null, waitingUntil = null } = workflow.progress ?? {};
  if (row.open && waitingFor === 'NEXT_TRY' && waitingUntil !== null && row.nextRetryAt !== null) {
    const isSame = Math.abs(Date.parse(waitingUntil) - row.nextRetryAt.getTime()) <= SAME_TRY_MS;
    const inRow = row.nextRetryAt.toISOString();
    if (!isSame) return `The row plans its next try for ${inRow}, the workflow waits until ${waitingUntil}.`;
  }
  return null;
}
