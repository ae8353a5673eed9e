import type { WebhookDeliveryDetailsFragment } from '../generated/operations.ts';

type Delivery = Pick<
  WebhookDeliveryDetailsFragment,
  'status' | 'tries' | 'lastTriedAt' | 'lastHttpStatus' | 'lastFailure' | 'nextRetryAt'
>;

/** Whether its first try since it was sent, or sent again, has begun and has no answer yet. The next try is then no retry. */
const isBeingTried = ({ status, lastTriedAt, lastHttpStatus, lastFailure }: Delivery): boolean =>
  status === 'PENDING' && lastTriedAt !== null && lastHttpStatus === null && lastFailure === null;

/** The answer to the last try in words. */
export function describeAnswer(delivery: Delivery): string {
  if (delivery.lastTriedAt === null) return 'Not tried yet';
  return isBeingTried(delivery) ? 'Being tried' : (delivery.lastFailure?.message ?? 'Accepted');
}

/** While a try runs, the service would repeat it only if its worker were lost. */
export const getNextTry = (delivery: Delivery): string | null => (isBeingTried(delivery) ? null : delivery.nextRetryAt);

/** `3`, or `1 since it was sent again`: a timeline lists the tries from before, too. */
export const describeTries = (tries: number, listed: number): string =>
  listed > tries ? `${tries.toLocaleString('en')} since it was sent again` : tries.toLocaleString('en');
