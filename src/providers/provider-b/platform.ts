import { checklist } from './checklist.ts';
import { providerBFacts } from './facts.ts';
import { createProviderB } from './provider-b.ts';
import { settings } from './settings.ts';

export const providerB = {
  settings,
  callsPerSecond: 10,
  createFacts: providerBFacts,
  createAdapter: createProviderB,
  checklist,
};
