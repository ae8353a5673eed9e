import type { AppId } from '../../ids.ts';
import type { SubjectScope } from '../../store/scopes.ts';

/** What a receipt's keyed hash is made over: by it the scope still finds the receipt when its connection is gone. */
export const buildReceiptParts = (appId: AppId, { tenantKey, externalSubjectId }: SubjectScope) =>
  ['scope', appId, tenantKey, externalSubjectId] as const;
