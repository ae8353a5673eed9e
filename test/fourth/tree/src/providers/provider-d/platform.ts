import { checklist } from './checklist.ts';
import { providerDFacts } from './facts.ts';
import { createProviderD } from './provider-d.ts';
import { settings } from './settings.ts';

export const providerD = {
  settings,
  callsPerSecond: 15,
  createFacts: providerDFacts,
  createAdapter: createProviderD,
  checklist,
};
