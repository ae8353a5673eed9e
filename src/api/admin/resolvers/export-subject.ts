import { z } from 'zod';
import { ServiceError } from '../../../basics/errors.ts';
import { exportSubject as readPage } from '../../../domain/reading/export-subject.ts';
import type { MutationResolvers } from '../../../generated/admin-schema.ts';
import { readCursor, writeCursor } from '../../cursors.ts';
import { parseArgs } from '../../inputs.ts';
import type { MutationContext } from '../context.ts';
import * as args from '../inputs.ts';
import { requireApp } from './lookups.ts';

const Place = z.tuple([z.coerce.number().int(), z.array(z.string()).nullable()]);

/** A mutation, because the audit log records each page. */
export const exportSubject: MutationResolvers<MutationContext>['exportSubject'] = async (_root, given, context) => {
  const { input, after } = parseArgs(args.ExportSubjectArgs, given);
  const { sql, mac } = context;
  const { tenantKey, externalSubjectId } = input;
  const appId = await requireApp(context, input.appId);
  const binding = { kind: 'export', of: [appId, tenantKey, externalSubjectId] } as const;
  const place = after === null ? null : readCursor(mac, binding, after, 'after');
  const [table, key] = place === null ? [0, null] : Place.parse([place[0], JSON.parse(place[1] ?? 'null')]);
  const position = place === null ? null : { table, after: key };
  const { rows, next } = await readPage(sql, mac, { appId, scope: { tenantKey, externalSubjectId }, position });
  if (position === null && rows.length === 0)
    throw new ServiceError('NOT_FOUND', 'The service holds no data of this subject.');
  return {
    rows: rows.map((row) => JSON.stringify(row)),
    endCursor: next && writeCursor(mac, binding, [String(next.table), JSON.stringify(next.after)]),
  };
};
