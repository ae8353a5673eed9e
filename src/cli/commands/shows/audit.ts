import { AUDIT_OUTCOMES } from '../../../basics/codes.ts';
import { OPERATIONS } from '../../../generated/admin-operations.ts';
import type { Choices } from '../../shape.ts';
import { cut, formatSecond } from './format.ts';

export interface Entry {
  readonly happenedAt: string;
  readonly actor: string;
  readonly actorLabel: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly things: readonly { readonly name: string | null; readonly id: string }[];
  readonly changes: readonly { readonly setting: string; readonly from: string | null; readonly to: string | null }[];
  readonly outcome: string;
  readonly correlationId: string | null;
}

export const briefEntry = ({ things: [thing], ...entry }: Entry) => ({
  at: formatSecond(entry.happenedAt),
  operator: cut(entry.actorLabel ?? entry.actor, 12),
  action: cut(entry.action, 27),
  about: cut(thing?.name ?? thing?.id ?? entry.target ?? '-', 12),
  changes: cut(entry.changes.map(describeChange).join('; ') || '-', 14),
  outcome: cut(entry.outcome, 7),
  request: entry.correlationId?.slice(0, 8) ?? '-',
});

const describeChange = ({ setting, from, to }: Entry['changes'][number]) => `${setting}: ${from ?? '-'} → ${to ?? '-'}`;

interface AuditChoices {
  readonly actors: readonly { readonly actor: string; readonly actorLabel: string | null }[];
  readonly actions: readonly string[];
}

/** An operator has the label of their token, and its id without `token:`. */
export const AUDIT_CHOICES: Choices = {
  field: { name: 'auditChoices', select: 'actors { actor actorLabel } actions' },
  of: {
    actor: ({ actors }: AuditChoices) =>
      actors.map(({ actor, actorLabel }) => ({
        value: actor,
        names: [...(actorLabel === null ? [] : [actorLabel]), actor.replace(/^token:/, '')],
      })),
    action: ({ actions }: AuditChoices) => actions.map((value) => ({ value, names: [] })),
    outcome: () => AUDIT_OUTCOMES.map((value) => ({ value, names: [] })),
  },
  known: { action: Object.keys(OPERATIONS) },
  most: 500,
};
