import { describe, expect, test } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { access, call, client, exchange, failureOf, tokens, useAdapters } from '../kit/fake-platform.ts';
import { BODIES } from './error-bodies/all.ts';
import type { ErrorBody } from './error-bodies/body.ts';

const adapters = useAdapters();

const GRANTED = ['user.info.basic', 'video.list', 'instagram_business_basic'];

describe.each(Object.entries(BODIES) as [ProviderName, readonly ErrorBody[]][])(
  'an answer of %s that was seen in public',
  (name, bodies) => {
    test.each(bodies.map((one) => [`${one.call}: ${JSON.stringify(one.body).slice(0, 90)}`, one] as const))(
      'means the same here: %s',
      async (_title, { call: kind, status, body, type }) => {
        adapters.platform.script({ status, body });
        const provider = adapters.providers[name];
        const answered = {
          exchange: () => provider.exchangeCode(client, exchange, call()),
          refresh: () => provider.refresh(client, tokens(), call()),
          read: () => provider.readAccount(access(GRANTED), call()),
        }[kind]();
        expect(await failureOf(answered)).toMatchObject({ type });
      },
    );
  },
);
