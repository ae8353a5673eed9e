import type { Entry } from './audit.ts';
import { countTries, type Failure } from './format.ts';

interface Job {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly createdAt: string;
  readonly tries: number;
  readonly lastFailure: Failure | null;
  readonly failure: Failure | null;
  readonly creatorAction: string | null;
  readonly recoveredFrom: { readonly answer: string | null; readonly failure: Failure } | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

interface Story {
  readonly id: string;
  readonly endedByJobId: string | null;
  readonly connection: {
    readonly status: string;
    readonly createdAt: string;
    readonly changedAt: string;
    readonly disconnectReason: string | null;
  } | null;
  readonly attempts: readonly {
    readonly id: string;
    readonly status: string;
    readonly resultCode: string | null;
    readonly createdAt: string;
    readonly finishedAt: string | null;
  }[];
  readonly grants: readonly { readonly id: string; readonly obtainedAt: string; readonly endReason: string | null }[];
  readonly receipts: readonly Job[];
  readonly jobs: readonly Job[];
  readonly audit: readonly (Pick<Entry, 'happenedAt' | 'actor' | 'actorLabel' | 'action' | 'outcome'> & {
    readonly target: string | null;
  })[];
}

interface Happened {
  readonly at: string;
  readonly what: string;
  readonly id: string;
  readonly status: string;
  readonly why: string | null;
}

/** One row for each event at its own time, oldest first. Work that has not ended has the time of its begin. */
export function listHistory({ attempts, grants, receipts, jobs, audit, ...story }: Story) {
  const rows: Happened[] = [
    ...listConnection(story, receipts, grants[0]?.endReason ?? null),
    ...attempts.map((one) => ({
      at: one.finishedAt ?? one.createdAt,
      what: 'ATTEMPT',
      id: one.id,
      status: one.status,
      why: one.resultCode,
    })),
    ...grants.map((one) => ({ at: one.obtainedAt, what: 'GRANT', id: one.id, status: 'OBTAINED', why: null })),
    ...[...receipts, ...jobs].map((one) => ({
      at: one.finishedAt ?? one.startedAt ?? one.createdAt,
      what: one.kind,
      id: one.id,
      status: one.status,
      why: describeTries(one),
    })),
    ...audit.map((one) => ({
      at: one.happenedAt,
      what: 'OPERATOR',
      id: one.target ?? story.id,
      status: one.outcome,
      why: `${one.action} by ${one.actorLabel ?? one.actor}`,
    })),
  ];
  return rows.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Its connect, its disconnect, with which the receipts begin, and its last change otherwise. */
function listConnection(
  { id, connection, endedByJobId }: Pick<Story, 'id' | 'connection' | 'endedByJobId'>,
  receipts: Story['receipts'],
  endReason: string | null,
): Happened[] {
  const event = (at: string, status: string, why: string | null = null) => ({
    at,
    what: 'CONNECTION',
    id,
    status,
    why,
  });
  const [receipt] = receipts;
  const rows = receipt ? [event(receipt.createdAt, 'DISCONNECTED', connection?.disconnectReason)] : [];
  if (connection === null) return rows;
  const { status, createdAt, changedAt } = connection;
  const endedBy = `its grant was ended by a disconnect of another connection of the same account: job ${endedByJobId}`;
  const why = status !== 'RECONNECT_REQUIRED' ? null : endedByJobId === null ? endReason : endedBy;
  if (createdAt < changedAt && rows.every((row) => row.status !== status)) rows.push(event(changedAt, status, why));
  return [event(createdAt, 'CREATED'), ...rows];
}

/** The failed tries, and the step that is left to the person. */
function describeTries({ failure, lastFailure, recoveredFrom, tries, creatorAction }: Job): string | null {
  const found = failure ?? lastFailure;
  const failed = found && `${found.code}, ${countTries(tries)}: ${found.message}`;
  const before =
    recoveredFrom && `at try ${Math.max(2, tries)}; before it: ${recoveredFrom.answer ?? recoveredFrom.failure.code}`;
  return [creatorAction, failed, before].filter((one) => one !== null).join('; ') || null;
}
