import type { AppId } from '../../basics/ids.ts';
import type { SubjectScope } from '../../store/scopes.ts';

/** Lists the inputs of a receipt's keyed hash. By that hash, the scope finds the receipt after the erase. */
export const buildReceiptParts = (appId: AppId, { tenantKey, externalSubjectId }: SubjectScope) =>
  ['scope', appId, tenantKey, externalSubjectId] as const;
