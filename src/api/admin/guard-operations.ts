import type { GraphQLResolveInfo } from 'graphql';
import { isPermitted, needsFreshSignIn, type Operation, ROLES } from '../../domain/operating/roles.ts';
import { ServiceError } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { insertAuditEntry } from '../../store/setup.ts';
import { inTransaction } from '../../store/sql.ts';
import { extendContext } from '../context.ts';
import { formatActor } from './actor.ts';
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
      await record(context, operation, args, error);
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
      requireFreshSignIn(context, operation, args);
      const result = await inTransaction(sql, async (tx) => {
        let target = findTarget(args);
        const about = (id: string) => {
          target = id;
        };
        const related: string[] = [];
        const touched = (ids: readonly string[]) => void related.push(...ids);
        const result = await resolve(root, args, extendContext(context, { sql: tx, about, touched }), info);
        const outcome = (args as Args).dryRun === true ? 'DRY_RUN' : 'DONE';
        await insertAuditEntry(tx, {
          actor: formatActor(actor),
          action: operation,
          target,
          related,
          outcome,
          correlationId,
        });
        return result;
      });
      outbox.deliverSoon();
      return result;
    } catch (error) {
      await record(context, operation, args, error);
      throw error;
    }
  };

function requireRole({ actor }: AdminContext, operation: Operation): void {
  if (isPermitted(actor.role, operation)) return;
  throw new ServiceError(
    'FORBIDDEN',
    `${operation} needs the role ${ROLES[operation]}; this token has the role ${actor.role}.`,
  );
}

function requireFreshSignIn({ actor }: AdminContext, operation: Operation, args: Args): void {
  if (actor.fresh || !needsFreshSignIn(operation, args)) return;
  throw new ServiceError('FRESH_SIGN_IN_REQUIRED', 'This needs a sign-in within the last five minutes. Sign in again.');
}

async function record({ actor, correlationId, sql }: AdminContext, action: Operation, args: Args, error: unknown) {
  const outcome = error instanceof ServiceError ? error.code : 'FAILED';
  await insertAuditEntry(sql, { actor: formatActor(actor), action, target: findTarget(args), outcome, correlationId });
}

/** What an operation is about, by its arguments: an id of ours and nothing else. */
function findTarget(args: Args): string | null {
  const input = (args.input ?? {}) as Args;
  const id = args.id ?? args.registrationId ?? args.appId ?? input.appId ?? input.registrationId;
  return typeof id === 'string' && isId(id) ? id.toLowerCase() : null;
}
