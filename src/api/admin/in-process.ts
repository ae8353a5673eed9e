import { buildSchema, type ExecutionResult, GraphQLError, type GraphQLSchema, graphql } from 'graphql';
import { ServiceError } from '../../basics/errors.ts';
import { newId } from '../../basics/ids.ts';
import { createLog } from '../../basics/log.ts';
import { readTemporalSettings } from '../../basics/temporal-settings.ts';
import type { ApiConfig } from '../../config/config.ts';
import { implementScalars } from '../graphql/scalars.ts';
import { adminSchema } from '../graphql/schema-texts.ts';
import { COMMAND_LINE } from './actor.ts';
import type { AdminContext, AdminDeps } from './context.ts';
import { guardOperations } from './guard-operations.ts';
import { Mutation, Query } from './resolvers/index.ts';
import { createTemporalUi } from './temporal-ui.ts';

type Parts = Omit<AdminDeps, 'config' | 'outbox' | 'temporalUi' | 'maskNames'> & {
  readonly config: AdminDeps['config'] &
    Pick<ApiConfig, 'TEMPORAL_UI_URL' | 'TEMPORAL_CONFIG_FILE' | 'TEMPORAL_PROFILE'>;
  /** Delivers the outbox entries of a mutation. */
  deliver(): Promise<void>;
};

/**
 * Creates the admin API for the command line beside the database. Its user has access to the database, so it may do
 * everything; the audit log names them by their user of the operating system and the host.
 */
export function createInProcessAdmin({ deliver, ...parts }: Parts) {
  const schema = createAdminSchema();
  const temporalUi = createTemporalUi(parts.config.TEMPORAL_UI_URL, readTemporalSettings(parts.config).namespace);
  return async (source: string, variableValues: Readonly<Record<string, unknown>>) => {
    let committed = false;
    const outbox = {
      deliverSoon: () => {
        committed = true;
      },
    };
    const contextValue: AdminContext = {
      ...parts,
      outbox,
      temporalUi,
      maskNames: false, // It may do everything.
      actor: COMMAND_LINE,
      correlationId: newId(),
      log: createLog('silent'),
    };
    const data = readData(await graphql({ schema, source, variableValues, contextValue }));
    if (committed) await deliver();
    return data;
  };
}

/** Without Yoga, which takes longer to load than a command runs. */
function createAdminSchema(): GraphQLSchema {
  const schema = buildSchema(adminSchema);
  const guarded = guardOperations({ Query, Mutation });
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const resolve = guarded[root?.name as keyof typeof guarded][field.name];
      if (resolve === undefined) throw new Error(`${field.name} has no resolver.`);
      field.resolve = resolve;
    }
  }
  return implementScalars(schema);
}

/** @throws the error of the operation; ServiceError `BAD_USER_INPUT` for a refusal of GraphQL itself. */
function readData({ data, errors }: ExecutionResult): Readonly<Record<string, unknown>> {
  const [error] = errors ?? [];
  if (error === undefined) return { ...data };
  const cause = findCause(error);
  if (cause instanceof ServiceError)
    throw new ServiceError(cause.code, `${cause.code}: ${cause.message}`, cause.details);
  if (cause instanceof GraphQLError) throw new ServiceError('BAD_USER_INPUT', `BAD_USER_INPUT: ${cause.message}`);
  throw cause;
}

const findCause = (error: Error): Error =>
  error instanceof GraphQLError && error.originalError ? findCause(error.originalError) : error;
