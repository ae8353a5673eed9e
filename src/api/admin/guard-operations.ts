import type { z } from 'zod';
import { ServiceError } from '../../basics/errors.ts';
import { isPermitted, type Operation } from '../../domain/rules/roles.ts';
import { ARGUMENTS } from '../../generated/admin-arguments.ts';
import { OPERATIONS } from '../../generated/admin-operations.ts';
import { inTransaction } from '../../store/driver/sql.ts';
import { type AuditChange, insertAuditEntry, insertReadEntry, type Settings } from '../../store/operators/audit-log.ts';
import { listAuditThings, listThingIds } from '../../store/operators/audit-things.ts';
import { extendContext } from '../context.ts';
import { parseArgs } from '../inputs.ts';
import { formatActor } from './actor.ts';
import { listChanges } from './audit-changes.ts';
import { listAuditNames } from './audit-names.ts';
import type { AdminContext, MutationContext, QueryContext } from './context.ts';
import type { Mutations, Queries } from './contract.ts';
import type { OperatorLimits } from './operator-limits.ts';

type Args = Readonly<Record<string, unknown>>;
type Run<Context> = (args: never, context: Context) => unknown;
type Resolve = (root: object, args: Args, context: AdminContext) => Promise<unknown>;

/**
 * Makes GraphQL's resolvers of the operations: the one door. Puts the role check before each, checks and completes its
 * arguments, and writes the audit log behind every mutation, every refusal and every read of a person. A mutation runs in one transaction together
 * with its entry: an action that is not in the log has not happened. No operation can forget any of it.
 * @param limits bounds each token's operations and entries of refusals; undefined for the command line.
 */
export const guardOperations = (
  { Query, Mutation }: { Query: Queries; Mutation: Mutations },
  limits?: OperatorLimits,
) => ({
  Query: wrap(Query, query, limits),
  Mutation: wrap(Mutation, mutate, limits),
});

const wrap = <Context>(
  fields: Readonly<Record<string, Run<Context>>>,
  guard: (operation: Operation, run: Run<Context>, limits: OperatorLimits | undefined) => Resolve,
  limits: OperatorLimits | undefined,
): Readonly<Record<string, Resolve>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, run]) => {
      const resolve = guard(name as Operation, run, limits);
      if (limits === undefined) return [name, resolve];
      return [name, (root, args, context) => limits.run(context.actor, () => resolve(root, args, context))];
    }),
  );

const query =
  (operation: Operation, run: Run<QueryContext>, limits: OperatorLimits | undefined): Resolve =>
  async (_root, args, context) => {
    const { effect } = OPERATIONS[operation];
    try {
      requireRole(context, operation);
    } catch (error) {
      await recordRefusal(context, operation, args, error, limits);
      throw error;
    }
    const shown = new Set<string>();
    const showed = (ids: readonly string[]) => {
      // The documents promise the effect, and the tests of masking look for it.
      if (effect !== 'READ_PERSON') throw new Error(`${operation} shows a person: declare the effect READ_PERSON.`);
      for (const id of ids) shown.add(id);
    };
    const answer = await run(complete(operation, args), extendContext(context, { showed }));
    if (shown.size > 0) await recordRead(context, operation, args, shown);
    return answer;
  };

const mutate =
  (operation: Operation, run: Run<MutationContext>, limits: OperatorLimits | undefined): Resolve =>
  async (_root, args, context) => {
    const { actor, correlationId, outbox, sql } = context;
    try {
      requireRole(context, operation);
      const result = await inTransaction(sql, async (tx) => {
        const dryRun = args.dryRun === true;
        if (!dryRun) requireFreshSignIn(context, operation);
        const names = listAuditNames(context.mac, operation, args);
        const about = (id: string) => {
          names.target = id;
        };
        const touched = (ids: readonly string[]) => void names.related.push(...ids);
        const changes: AuditChange[] = [];
        const changed = (before: Settings, after: Settings) => void changes.push(...listChanges(before, after));
        const parts = { sql: tx, about, touched, changed };
        const before = await listAuditThings(tx, listThingIds(names)); // It may rename or remove them.
        const result = await run(complete(operation, args), extendContext(context, parts));
        const ids = listThingIds(names).filter((id) => before.every((thing) => thing.id !== id));
        const things = [...before, ...(await listAuditThings(tx, ids))];
        await insertAuditEntry(tx, {
          actor: formatActor(actor),
          action: operation,
          target: names.target,
          related: [...new Set(names.related)].filter((name) => name !== names.target),
          // An operator's name is kept as long as the token.
          things: things.filter(({ kind }) => kind !== 'ADMIN_TOKEN'),
          outcome: dryRun ? 'DRY_RUN' : 'DONE',
          correlationId,
          changes,
        });
        return result;
      });
      outbox.deliverSoon();
      return result;
    } catch (error) {
      await recordRefusal(context, operation, args, error, limits);
      throw error;
    }
  };

/** The arguments that the operation takes, with its defaults. @throws ServiceError `BAD_USER_INPUT` */
const complete = (operation: Operation, args: Args) => parseArgs(ARGUMENTS[operation] as z.ZodType, args) as never;

function requireRole({ actor }: AdminContext, operation: Operation): void {
  if (isPermitted(actor.role, operation)) return;
  throw new ServiceError(
    'FORBIDDEN',
    `${operation} needs the role ${OPERATIONS[operation].role}; this token has the role ${actor.role}.`,
  );
}

function requireFreshSignIn({ actor }: AdminContext, operation: Operation): void {
  const { effect } = OPERATIONS[operation];
  if (actor.fresh || (effect !== 'OPEN' && effect !== 'END_MANY')) return;
  throw new ServiceError('FRESH_SIGN_IN_REQUIRED', 'This needs a sign-in within the last five minutes. Sign in again.');
}

/** The log names the data before an operator sees it. */
async function recordRead(
  { actor, correlationId, mac, sql }: AdminContext,
  operation: Operation,
  args: Args,
  shown: ReadonlySet<string>,
): Promise<void> {
  const { target, related } = listAuditNames(mac, operation, args);
  await insertReadEntry(sql, {
    actor: formatActor(actor),
    action: operation,
    target,
    related: [...new Set([...related, ...shown])].filter((name) => name !== target),
    outcome: 'DONE',
    correlationId,
  });
}

async function recordRefusal(
  { actor, correlationId, mac, sql }: AdminContext,
  operation: Operation,
  args: Args,
  error: unknown,
  limits: OperatorLimits | undefined,
): Promise<void> {
  const outcome = error instanceof ServiceError ? error.code : 'FAILED';
  const { target, related } = listAuditNames(mac, operation, args);
  const named = { target, related: args.dryRun === true ? [...related, 'DRY_RUN'] : related };
  const entry = { actor: formatActor(actor), action: operation, ...named, outcome, correlationId };
  await (limits === undefined ? insertAuditEntry(sql, entry) : limits.recordRefusal(entry));
}
