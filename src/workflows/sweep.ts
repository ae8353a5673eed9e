import { store } from './calls.ts';
import type { SweepInput } from './contract.ts';

/** One round of one kind of housekeeping; a Schedule starts it. */
export async function sweep({ kind }: SweepInput): Promise<unknown> {
  switch (kind) {
    case 'outbox':
      return await store.deliverOutbox();
    case 'reconcile':
      return await store.reconcile();
    case 'upkeep':
      return await store.startUpkeep();
    case 'retention':
      return await store.applyRetention();
  }
}
