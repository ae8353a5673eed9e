import { checklist } from './checklist.ts';
import { providerAFacts } from './facts.ts';
import { createProviderA } from './provider-a.ts';
import { settings } from './settings.ts';

export const providerA = {
  settings,
  callsPerSecond: 20,
  createFacts: providerAFacts,
  createAdapter: createProviderA,
  checklist,
};
