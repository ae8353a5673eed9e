import { checklist } from './checklist.ts';
import { providerCFacts } from './facts.ts';
import { createProviderC } from './provider-c.ts';
import { settings } from './settings.ts';

export const providerC = {
  settings,
  callsPerSecond: 20,
  createFacts: providerCFacts,
  createAdapter: createProviderC,
  checklist,
};
