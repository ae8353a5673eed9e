import type { AdminTokenId } from '../../basics/ids.ts';
import { OPERATIONS } from '../../generated/admin-operations.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import { lockOperator } from '../../store/operators/admin-tokens.ts';
import { countActsOfLastHour } from '../../store/operators/audit-log.ts';
import type { Operation } from './roles.ts';

type OperationEffect = (typeof OPERATIONS)[Operation]['effect'];

/** How many operations of an effect an operator may run within an hour without a fresh sign-in (D-265). */
const FREE_AN_HOUR: Readonly<Record<OperationEffect, number>> = {
  READ: Number.POSITIVE_INFINITY,
  READ_PERSON: Number.POSITIVE_INFINITY,
  CHANGE: Number.POSITIVE_INFINITY,
  STOP: 3,
  END_ONE: 10,
  END_MANY: 0,
  OPEN: 0,
};

/** More acts than an operator does within an hour by hand. The check reads no more of them. */
const MOST_ACTS = 1_000;

/**
 * Says whether an operation needs a fresh sign-in now. Counts the operator's acts of the same effect, and lets no other
 * request of the operator count at the same time. Run the operation in the same transaction.
 * @param operator.actor as in the audit log.
 */
export async function needsFreshSignIn(
  tx: Transaction,
  operation: Operation,
  operator: { readonly tokenId: AdminTokenId; readonly openidSub: string | null; readonly actor: string },
): Promise<boolean> {
  const { effect } = OPERATIONS[operation];
  const free = FREE_AN_HOUR[effect];
  if (free === Number.POSITIVE_INFINITY) return false;
  if (free === 0) return true;
  await lockOperator(tx, operator);
  const alike = Object.entries(OPERATIONS).flatMap(([name, other]) => (other.effect === effect ? [name] : []));
  const { count, total } = await countActsOfLastHour(tx, operator.actor, alike, MOST_ACTS);
  return count >= free || total >= MOST_ACTS;
}
