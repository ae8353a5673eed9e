import { describe, expect, test } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { access, call, client, exchange, NOW, useAdapters } from '../kit/fake-platform.ts';
import { PROVIDER_A_RECORDINGS } from './recorded-answers/provider-a.ts';
import { PROVIDER_B_RECORDINGS } from './recorded-answers/provider-b.ts';
import { PROVIDER_C_RECORDINGS } from './recorded-answers/provider-c.ts';
import type { Recording } from './recorded-answers/recording.ts';

const adapters = useAdapters();

const RECORDINGS: Readonly<Record<ProviderName, readonly Recording[]>> = {
  PROVIDER_A: PROVIDER_A_RECORDINGS,
  PROVIDER_B: PROVIDER_B_RECORDINGS,
  PROVIDER_C: PROVIDER_C_RECORDINGS,
};
const OWN_ACCOUNTS: Partial<Record<ProviderName, string>> = { PROVIDER_A: 'UCq7R1xTn0aVb3kLmZ9pYwEg' };
const GRANTED = ['user.info.basic', 'user.info.profile', 'video.list', 'instagram_business_basic'];
const WINDOW = { publishedAfter: new Date('2026-11-01T00:00:00Z'), publishedBefore: NOW };

describe.each(Object.entries(RECORDINGS) as [ProviderName, readonly Recording[]][])(
  'an answer of %s that somebody else has recorded',
  (name, recordings) => {
    test.each(recordings.map((one) => [`${one.call}, ${one.source}`, one] as const))(
      'is read: %s',
      async (_title, { call: kind, answers, expected, permissions = GRANTED }) => {
        adapters.platform.script(...answers.map((body) => ({ body })));
        const provider = adapters.providers[name];
        const grant = access(permissions, OWN_ACCOUNTS[name]);
        const ids = { providerContentIds: ['17895731045244887'] };
        const read = await {
          exchange: () => provider.exchangeCode(client, exchange, call()),
          account: () => provider.readAccount(grant, call()),
          list: () =>
            provider.listContent(grant, { window: WINDOW, cursor: null, limit: 100, withMetrics: false }, call()),
          read: () => provider.readContent(grant, { ...ids, withMetrics: true }, call()),
        }[kind]();
        expect(read).toMatchObject(expected);
        expect(adapters.platform.seen).toHaveLength(answers.length);
      },
    );
  },
);
