import { z } from 'zod';
import { exportSubject as readPage } from '../../../domain/reading/export-subject.ts';
import { readCursor, writeCursor } from '../../cursors.ts';
import type { Mutations } from '../contract.ts';
import { createNothingHeldError, requireApp } from './lookups.ts';

const Place = z.tuple([z.coerce.number().int(), z.array(z.string()).nullable()]);

export const Mutation = {
  /** A mutation, because the audit log records each page. */
  exportSubject: async ({ input, after }, context) => {
    const { sql, mac } = context;
    const { appId, tenantKey, externalSubjectId } = input;
    await requireApp(context, appId);
    const binding = { kind: 'export', of: [appId, tenantKey, externalSubjectId] } as const;
    const place = after === null ? null : readCursor(mac, binding, after, 'after');
    const [table, key] = place === null ? [0, null] : Place.parse([place[0], JSON.parse(place[1] ?? 'null')]);
    const position = place === null ? null : { table, after: key };
    const { rows, next } = await readPage(sql, mac, { appId, scope: { tenantKey, externalSubjectId }, position });
    if (position === null && rows.length === 0) throw await createNothingHeldError(sql, input);
    return {
      rows: rows.map((row) => JSON.stringify(row)),
      endCursor: next && writeCursor(mac, binding, [String(next.table), JSON.stringify(next.after)]),
    };
  },
} satisfies Partial<Mutations>;
