import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { openStage, type Stage, useGrant } from '../kit/activity-stage.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { openDatabase, test } from '../kit/postgres.ts';

const signal = new AbortController().signal;
setMaxListeners(0, signal); // Fifty concurrent users are intended.
const expiredTokens = () => newTokens({ accessExpiresAt: new Date(Date.now() - 1_000) });

/** A provider with single-use refresh tokens, which ends the grant if it receives one twice. */
function rotating(stage: Stage, valid: string) {
  let current = valid;
  let ended = false;
  stage.provider.refresh.mockImplementation(async (_client, { refreshToken }) => {
    await delay(50);
    if (ended || refreshToken?.reveal() !== current) {
      ended = true;
      throw new ProviderError('GrantDead', 'The refresh token was used before.');
    }
    const fresh = newTokens();
    current = fresh.refreshToken?.reveal() ?? '';
    return fresh;
  });
}

describe('a rotating grant', () => {
  test.for([
    ['that has expired', true],
    ['that all of them find stale', false],
  ] as const)(
    'is refreshed once for 50 users in two processes, with a token %s',
    async ([, hasExpired], { database }) => {
      const stage = await openStage(database.sql);
      const other = openDatabase(new Secret(database.url), { poolSize: 10, applicationName: 'another worker' });
      try {
        const tokens = hasExpired ? expiredTokens() : newTokens();
        const { grantId, connectionId } = await stage.newConnection({ tokens });
        rotating(stage, tokens.refreshToken?.reveal() ?? '');
        const used = await Promise.all(
          Array.from({ length: 50 }, (_, index) => {
            const deps = { ...stage.deps, sql: index % 2 === 0 ? stage.sql : other };
            return useGrant(deps, grantId, signal, async ({ accessToken }) => {
              const held = accessToken.reveal();
              if (held === tokens.accessToken.reveal()) throw new ProviderError('TokenStale', 'Stale.');
              return held;
            });
          }),
        );
        expect(stage.provider.refresh).toHaveBeenCalledOnce();
        expect(new Set(used).size).toBe(1);
        expect(await stage.connectionStatus(connectionId)).toBe('CONNECTED');
        expect(await stage.grant(grantId)).toMatchObject({ status: 'LIVE', generation: 2, refreshClaim: null });
      } finally {
        await other.end();
      }
    },
  );
});

test('a database that fails briefly while a refreshed token is stored does not lose the grant', async ({ sql }) => {
  const stage = await openStage(sql);
  const tokens = expiredTokens();
  const { grantId } = await stage.newConnection({ tokens });
  rotating(stage, tokens.refreshToken?.reveal() ?? '');
  await sql.unsafe(`
    create sequence failures_left start 1;
    create function fail_storing() returns trigger language plpgsql security definer as $$
    begin
      if new.generation > old.generation and nextval('failures_left') <= 2 then raise exception 'disk on fire'; end if;
      return new;
    end
    $$;
    create trigger fail_storing before update on account_grant for each row execute function fail_storing();
  `);
  try {
    expect(await useGrant(stage.deps, grantId, signal, async () => 'ok')).toBe('ok');
    expect(await stage.grant(grantId)).toMatchObject({ status: 'LIVE', generation: 2, refreshClaim: null });
    expect(stage.provider.refresh).toHaveBeenCalledOnce();
  } finally {
    await sql.unsafe(
      'drop trigger fail_storing on account_grant; drop function fail_storing; drop sequence failures_left',
    );
  }
});
