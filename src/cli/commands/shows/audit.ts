import { ADMIN_ERROR_CODES, ERROR_CODES } from '../../../basics/errors.ts';
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
  readonly outcome: string;
}

export const briefEntry = ({ happenedAt, actor, actorLabel, action, target, things: [thing], outcome }: Entry) => ({
  at: formatSecond(happenedAt),
  operator: cut(actorLabel ?? actor, 20),
  action: cut(action, 27),
  about: cut(thing?.name ?? thing?.id ?? target ?? '-', 30),
  outcome: cut(outcome, 14),
});

interface AuditChoices {
  readonly actors: readonly { readonly actor: string; readonly actorLabel: string | null }[];
  readonly actions: readonly string[];
}

/** How an operation of the audit log ended: a refusal has its code. */
const OUTCOMES = ['DONE', 'DRY_RUN', 'FAILED', ...ERROR_CODES, ...ADMIN_ERROR_CODES];

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
    outcome: () => OUTCOMES.map((value) => ({ value, names: [] })),
  },
  known: { action: Object.keys(OPERATIONS) },
  most: 500,
};
