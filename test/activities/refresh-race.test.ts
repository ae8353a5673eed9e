import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { openStage, type Stage, useGrant } from '../kit/activity-stage.ts';
import { moveClock, SECOND_MS } from '../kit/clock.ts';
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
  test('is refreshed once after it expires, for 50 users in two processes', async ({ database }) => {
    const stage = await openStage(database.sql);
    const other = openDatabase(new Secret(database.url), { poolSize: 10, applicationName: 'another worker' });
    try {
      const tokens = expiredTokens();
      const { grantId, connectionId } = await stage.newConnection({ tokens });
      rotating(stage, tokens.refreshToken?.reveal() ?? '');
      const used = await Promise.all(
        Array.from({ length: 50 }, (_, index) => {
          const deps = { ...stage.deps, sql: index % 2 === 0 ? stage.sql : other };
          return useGrant(deps, grantId, signal, async ({ accessToken }) => accessToken.reveal());
        }),
      );
      expect(stage.provider.refresh).toHaveBeenCalledOnce();
      expect(new Set(used).size).toBe(1);
      expect(used[0]).not.toBe(tokens.accessToken.reveal());
      expect(await stage.connectionStatus(connectionId)).toBe('CONNECTED');
      expect(await stage.grant(grantId)).toMatchObject({ status: 'LIVE', generation: 2, refreshClaim: null });
    } finally {
      await other.end();
    }
  });

  test('is refreshed once if 50 users find its token stale at once', async ({ database }) => {
    const stage = await openStage(database.sql);
    const tokens = newTokens();
    const { grantId } = await stage.newConnection({ tokens });
    rotating(stage, tokens.refreshToken?.reveal() ?? '');
    const used = await Promise.all(
      Array.from({ length: 50 }, () =>
        useGrant(stage.deps, grantId, signal, async ({ accessToken }) => {
          if (accessToken.reveal() === tokens.accessToken.reveal()) throw new ProviderError('TokenStale', 'Stale.');
          return accessToken.reveal();
        }),
      ),
    );
    expect(stage.provider.refresh).toHaveBeenCalledOnce();
    expect(new Set(used).size).toBe(1);
  });
});

describe('a database that fails while a refreshed token is stored', () => {
  /** Fails that statement this many times; all others succeed. */
  async function failStoring(stage: Stage, times: number): Promise<void> {
    await stage.sql.unsafe(`
      create sequence failures_left start 1;
      create function fail_storing() returns trigger language plpgsql security definer as $$
      begin
        if new.generation > old.generation and nextval('failures_left') <= ${times} then raise exception 'disk on fire'; end if;
        return new;
      end
      $$;
      create trigger fail_storing before update on account_grant for each row execute function fail_storing();
    `);
  }
  const mend = (stage: Stage) =>
    stage.sql.unsafe(
      'drop trigger fail_storing on account_grant; drop function fail_storing; drop sequence failures_left',
    );

  test('for a moment does not lose the grant', async ({ sql }) => {
    const stage = await openStage(sql);
    const tokens = newTokens({ accessExpiresAt: new Date(0) });
    const { grantId } = await stage.newConnection({ tokens });
    rotating(stage, tokens.refreshToken?.reveal() ?? '');
    await failStoring(stage, 2);
    try {
      expect(await useGrant(stage.deps, grantId, signal, async () => 'ok')).toBe('ok');
      expect(await stage.grant(grantId)).toMatchObject({ status: 'LIVE', generation: 2, refreshClaim: null });
      expect(stage.provider.refresh).toHaveBeenCalledOnce();
    } finally {
      await mend(stage);
    }
  });

  test('for long keeps the claim, so that no worker sends a spent token unknowingly', async ({ sql }) => {
    const stage = await openStage(sql);
    const tokens = newTokens({ accessExpiresAt: new Date(0) });
    const { grantId, connectionId } = await stage.newConnection({ tokens });
    rotating(stage, tokens.refreshToken?.reveal() ?? '');
    await failStoring(stage, 1_000_000);
    try {
      await expect(useGrant(stage.deps, grantId, signal, async () => 'ok')).rejects.toMatchObject({
        code: 'P0001',
      });
      const claimed = await stage.grant(grantId);
      expect(claimed).toMatchObject({ status: 'LIVE', generation: 1 });
      expect(claimed.refreshClaim).not.toBeNull();
    } finally {
      await mend(stage);
    }
    await moveClock(sql, 91 * SECOND_MS);
    await expect(useGrant(stage.deps, grantId, signal, async () => 'ok')).rejects.toMatchObject({
      type: 'GrantDead',
    });
    expect(await stage.connectionStatus(connectionId)).toBe('RECONNECT_REQUIRED');
  });
});
