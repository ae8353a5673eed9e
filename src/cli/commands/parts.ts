import { ServiceError } from '../../basics/errors.ts';
import { arg } from '../shape.ts';

export const FAILURE = 'code message';
export const BULK =
  'id appId tenantKey registrationId registrationLabel startedAt finishedAt total disconnected unsettled revokesFailed';

export const ofApp = { app: arg('appId', 'APP_ID') };
export const dryRun = { 'dry-run': arg('dryRun') };
export const once = { 'idempotency-key': arg('input.idempotencyKey', 'KEY') };

/** An option that chooses one of the rows of an answer. */
export const chosenBy = (option: string, placeholder: string) => ({
  local: { [option]: { placeholder, kind: 'text', isRequired: true } } as const,
});

/** @throws ServiceError `NOT_FOUND` */
export function pick<Row>(rows: readonly Row[], isChosen: (row: Row) => boolean, what: string): Row {
  const found = rows.find(isChosen);
  if (found === undefined) throw new ServiceError('NOT_FOUND', `NOT_FOUND: There is no such ${what}.`);
  return found;
}
