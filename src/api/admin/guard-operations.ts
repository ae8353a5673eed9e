import type { GraphQLResolveInfo } from 'graphql';
import { ServiceError } from '../../basics/errors.ts';
import { needsFreshSignIn } from '../../domain/rules/fresh-sign-in.ts';
import { isPermitted, type Operation } from '../../domain/rules/roles.ts';
import { OPERATIONS } from '../../generated/admin-operations.ts';
import { inTransaction, type Transaction } from '../../store/driver/sql.ts';
import { insertAuditEntry } from '../../store/operators/audit-log.ts';
import { extendContext } from '../context.ts';
import { formatActor } from './actor.ts';
import { listAuditNames } from './audit-names.ts';
import type { AdminContext, MutationContext } from './context.ts';

type Args = Readonly<Record<string, unknown>>;
type Resolve<Context> = (root: object, args: never, context: Context, info: GraphQLResolveInfo) => unknown;
type Fields<Context> = Readonly<Record<string, unknown | Resolve<Context>>>;

/**
 * Puts the role check before every operation, and the audit log behind every mutation and every refusal. A mutation
 * runs in one transaction together with its entry: what is not in the log has not happened. No operation can forget
 * any of it.
 */
export const guardOperations = ({
  Query,
  Mutation,
}: {
  Query: Fields<AdminContext>;
  Mutation: Fields<MutationContext>;
}) => ({
  Query: wrap(Query, query),
  Mutation: wrap(Mutation, mutate),
});

const wrap = <Context>(
  fields: Fields<Context>,
  run: (operation: Operation, resolve: Resolve<Context>) => Resolve<AdminContext>,
) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, resolve]) => [name, run(name as Operation, resolve as Resolve<Context>)]),
  );

const query =
  (operation: Operation, resolve: Resolve<AdminContext>): Resolve<AdminContext> =>
  async (root, args, context, info) => {
    try {
      requireRole(context, operation);
    } catch (error) {
      await recordRefusal(context, operation, args, error);
      throw error;
    }
    return await resolve(root, args, context, info);
  };

const mutate =
  (operation: Operation, resolve: Resolve<MutationContext>): Resolve<AdminContext> =>
  async (root, args, context, info) => {
    const { actor, correlationId, outbox, sql } = context;
    try {
      requireRole(context, operation);
      const result = await inTransaction(sql, async (tx) => {
        const dryRun = (args as Args).dryRun === true;
        if (!dryRun) await requireFreshSignIn(context, tx, operation);
        const names = listAuditNames(context.mac, operation, args);
        const about = (id: string) => {
          names.target = id;
        };
        const touched = (ids: readonly string[]) => void names.related.push(...ids);
        const result = await resolve(root, args, extendContext(context, { sql: tx, about, touched }), info);
        await insertAuditEntry(tx, {
          actor: formatActor(actor),
          action: operation,
          target: names.target,
          related: [...new Set(names.related)].filter((name) => name !== names.target),
          outcome: dryRun ? 'DRY_RUN' : 'DONE',
          correlationId,
        });
        return result;
      });
      outbox.deliverSoon();
      return result;
    } catch (error) {
      await recordRefusal(context, operation, args, error);
      throw error;
    }
  };

function requireRole({ actor }: AdminContext, operation: Operation): void {
  if (isPermitted(actor.role, operation)) return;
  throw new ServiceError(
    'FORBIDDEN',
    `${operation} needs the role ${OPERATIONS[operation].role}; this token has the role ${actor.role}.`,
  );
}

async function requireFreshSignIn({ actor }: AdminContext, tx: Transaction, operation: Operation): Promise<void> {
  if (actor.fresh || !(await needsFreshSignIn(tx, operation, { ...actor, actor: formatActor(actor) }))) return;
  throw new ServiceError('FRESH_SIGN_IN_REQUIRED', 'This needs a sign-in within the last five minutes. Sign in again.');
}

async function recordRefusal(
  { actor, correlationId, mac, sql }: AdminContext,
  operation: Operation,
  args: Args,
  error: unknown,
): Promise<void> {
  const outcome = error instanceof ServiceError ? error.code : 'FAILED';
  const names = listAuditNames(mac, operation, args);
  await insertAuditEntry(sql, { actor: formatActor(actor), action: operation, ...names, outcome, correlationId });
}
