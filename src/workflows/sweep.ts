import { atProvider, Priority, store } from './calls.ts';
import type { SweepInput } from './contract.ts';

/** One round of one kind of housekeeping; a Schedule starts it. */
export async function sweep({ kind }: SweepInput): Promise<unknown> {
  switch (kind) {
    case 'outbox':
      return await store.deliverOutbox();
    case 'reconcile':
      return await store.reconcile();
    case 'registrations':
      return await probeRejected();
    case 'upkeep':
      return await store.startUpkeep();
    case 'retention':
      return await store.applyRetention();
  }
}

/** Asks each provider that refuses our client whether it still does; one that does not answer is asked in the next round. */
async function probeRejected(): Promise<{ asked: number; answered: number }> {
  const rejected = await store.listRejectedRegistrations();
  const probes = rejected.map(({ registrationId, provider }) =>
    atProvider(provider, 'does the provider take our client?', Priority.release).probeRegistration({ registrationId }),
  );
  const answers = await Promise.allSettled(probes);
  return { asked: rejected.length, answered: answers.filter(({ status }) => status === 'fulfilled').length };
}
