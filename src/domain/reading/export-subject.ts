import type { AppId } from '../../basics/ids.ts';
import type { Sql } from '../../store/driver/sql.ts';
import { type ExportedRow, type ExportPosition, listExportedRows } from '../../store/erasures/subject-export.ts';
import { findScope, type SubjectScope } from '../../store/scopes.ts';
import type { Mac } from '../../vault/mac.ts';
import { identifySubject } from '../disconnecting/start-subject-erasure.ts';

/** At most so many rows a page, of at most a few kilobytes each. */
const EXPORT_PAGE = 500;

/**
 * Reads one page of all that we hold of a person, in the scope of one app. Receipts of an erased person are found by their
 * keyed hash.
 * @returns no rows on the first page if we hold nothing.
 */
export async function exportSubject(
  sql: Sql,
  mac: Mac,
  { appId, scope, position }: { appId: AppId; scope: SubjectScope; position: ExportPosition | null },
): Promise<{ rows: ExportedRow[]; next: ExportPosition | null }> {
  const { scopeId } = await findScope(sql, appId, scope);
  return await listExportedRows(sql, identifySubject(mac, appId, scopeId, scope), position, EXPORT_PAGE);
}
