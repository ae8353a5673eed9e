import { flag, may, need, type OptionShape, type RemoteCommand } from '../shape.ts';

export const PAGE = { first: 'Int', after: 'String' };
export const paged = (select: string) => `items { ${select} } pageInfo { endCursor hasNextPage }`;

export const FAILURE = 'code message';
export const BULK = 'id appId tenantKey registrationId startedAt finishedAt total disconnected unsettled revokesFailed';

export const ofApp = { app: need('appId', 'APP_ID') };
export const dryRun = { 'dry-run': flag('dryRun') };
export const once = { 'idempotency-key': may('input.idempotencyKey', 'KEY') };
export const ID = { id: 'ID!' };

type Rest = Partial<Pick<RemoteCommand, 'secret' | 'fixed' | 'confirm' | 'isPaged' | 'show'>>;
type Args = Readonly<Record<string, string>>;

const build =
  (kind: RemoteCommand['kind'], group: string) =>
  (
    name: string,
    summary: string,
    options: Readonly<Record<string, OptionShape>>,
    args: Args,
    select: string,
    rest: Rest = {},
  ): RemoteCommand => ({ kind, group, summary, options, fields: [{ name, args, select }], ...rest });

/** Builds the queries of a group. */
export const queriesOf = (group: string) => build('query', group);
/** Builds the mutations of a group. */
export const mutationsOf = (group: string) => build('mutation', group);
