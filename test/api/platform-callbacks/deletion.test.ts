import { describe, expect } from 'vitest';
import type { SandboxAccount } from '../../../sandbox/src/model.ts';
import { CONNECT_URL } from '../../kit/caller.ts';
import { holdLimits } from '../../kit/hold-limits.ts';
import { seedApp } from '../../kit/seed.ts';
import { nowSeconds, openConnected, type Stage, stageTest as test } from './stage.ts';

/** Requests the deletion of an account's data, as the platform does for a person. */
async function requestDeletion(stage: Stage, account: SandboxAccount, createdAt = nowSeconds()) {
  const delivery = await stage.send('dataDeletion', account, { createdAt });
  expect(delivery.status).toBe(200);
  const { url, confirmation_code: code } = JSON.parse(delivery.answer) as { url: string; confirmation_code: string };
  expect(code).toMatch(/^[0-9a-f]{32}$/);
  expect(url).toBe(`${CONNECT_URL}/deletion/${code}`);
  return code;
}

const page = async (stage: Stage, code: string) => {
  const response = await fetch(`${stage.url}/deletion/${code}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('a deletion request', () => {
  test('disconnects every connection of the account, with both receipts, and confirms it', async ({ sql, stage }) => {
    const account = stage.account('PROVIDER_C');
    const connections = [
      await stage.connect(account),
      await stage.connect(account, { status: 'RECONNECT_REQUIRED' }),
      await stage.connect(account, { status: 'SUSPENDED' }),
    ];
    const others = [await stage.connect(stage.account('PROVIDER_C', 1))];
    const stranger = await seedApp(sql);
    others.push(await stage.connect(account, { of: stranger }));
    const code = await requestDeletion(stage, account);
    expect((await page(stage, code)).text).toContain('is being deleted');
    await stage.sweepDeletions();
    for (const connectionId of connections) {
      expect(await stage.status(connectionId)).toBe('DISCONNECTED');
      expect(await stage.dispatched(connectionId)).toMatchObject([
        { workflowType: 'disconnect', workflowId: `disconnect/${connectionId}` },
      ]);
      const receipts =
        await sql`select kind, reason from disconnect_job where connection_id = ${connectionId} order by kind`;
      expect(receipts).toMatchObject([{ kind: 'ERASE', reason: 'PLATFORM_DELETION' }, { kind: 'REVOKE' }]);
    }
    for (const connectionId of others) expect(await stage.status(connectionId)).toBe('CONNECTED');
  });

  test('is answered, and fulfilled for the other connections, if one cannot be disconnected', async ({ stage }) => {
    const account = stage.account('PROVIDER_C');
    const connections = [await stage.connect(account), await stage.connect(account), await stage.connect(account)];
    const [refused = ''] = connections.toSorted();
    await stage.sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'Not this one.'; end $$;
      create trigger refuse before update on connection for each row when (old.connection_id = '${refused}')
        execute function refuse();
    `);
    const code = await requestDeletion(stage, account);
    await stage.sweepDeletions();
    for (const connectionId of connections)
      expect(await stage.status(connectionId)).toBe(connectionId === refused ? 'CONNECTED' : 'DISCONNECTED');
    await stage.sql.unsafe('drop trigger refuse on connection; drop function refuse');
    await stage.sweepDeletions();
    for (const connectionId of connections) expect(await stage.status(connectionId)).toBe('DISCONNECTED');
    expect((await page(stage, code)).text).toContain('is being deleted');
  });

  test('leaves a connection that was reconnected since', async ({ sql }) => {
    const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_C');
    const code = await requestDeletion(stage, account);
    await sql`
      update account_grant set obtained_at = business_now() + interval '1 second' where connection_id = ${connectionId}
    `;
    await stage.sweepDeletions();
    expect(await stage.status(connectionId)).toBe('CONNECTED');
    expect((await page(stage, code)).text).toContain('has been deleted');
  });

  test('sent again returns the same code and starts nothing new', async ({ sql }) => {
    const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_C');
    const at = nowSeconds();
    const code = await requestDeletion(stage, account, at);
    await stage.sweepDeletions();
    expect(await requestDeletion(stage, account, at)).toBe(code);
    await stage.sweepDeletions();
    expect(await stage.dispatched(connectionId)).toHaveLength(1);
    expect(await requestDeletion(stage, account, at + 1)).not.toBe(code);
  });

  test('older than the grant counts as fulfilled by the earlier disconnect', async ({ sql }) => {
    const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_C', { secondsAgo: 10 });
    const code = await requestDeletion(stage, account, nowSeconds() - 12);
    await stage.sweepDeletions();
    expect(await stage.status(connectionId)).toBe('CONNECTED');
    expect(await stage.dispatched(connectionId)).toEqual([]);
    const { text } = await page(stage, code);
    expect(text).toContain('You connected an account again after you had made the request.');
    expect(text).not.toContain('has been deleted');
  });

  test('of an unknown account is confirmed and fulfilled at once', async ({ stage }) => {
    const code = await requestDeletion(stage, stage.account('PROVIDER_C'));
    const { text } = await page(stage, code);
    expect(text).toContain('there was nothing to delete');
    expect(text).not.toContain('again after you had made');
    expect(stage.deliveryRequests()).toBe(0);
  });

  test('that races a disconnect by the person joins it', async ({ sql }) => {
    const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_C');
    const at = nowSeconds();
    const codes = await Promise.all(Array.from({ length: 8 }, (_, i) => requestDeletion(stage, account, at + (i % 2))));
    expect(new Set(codes).size).toBe(2);
    await Promise.all([stage.sweepDeletions(), stage.sweepDeletions()]);
    expect(await stage.dispatched(connectionId)).toHaveLength(1);
    for (const code of codes) expect((await page(stage, code)).text).toContain('is being deleted');
  });
});

describe('its page', () => {
  test('shows its state to the person, and remains after the data is erased', async ({ sql, stage }) => {
    const account = stage.account('PROVIDER_C');
    const connections = [await stage.connect(account), await stage.connect(account)];
    const code = await requestDeletion(stage, account);
    for (const connectionId of connections) {
      const shown = await page(stage, code);
      expect(shown.status).toBe(200);
      expect(shown.text).toContain('Your data is being deleted');
      expect(shown.text).toContain(code);
      await sql`delete from connection where connection_id = ${connectionId}`;
    }
    const shown = await page(stage, code);
    expect(shown.text).toContain('Your data has been deleted');
    expect(shown.text).toContain('We keep only this code and the date, for one year.');
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'sha256-");
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const kept = await sql`select * from deletion_request where code = ${code}`;
    expect(Object.keys(kept[0] ?? {}).toSorted()).toEqual(['code', 'foundCount', 'requestedAt', 'sparedNewer']);
  });

  test('refuses other codes, and limits guesses', async ({ stage }) => {
    holdLimits();
    const unknown = await page(stage, '0'.repeat(32));
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('Unknown confirmation code');
    expect((await page(stage, '%00')).status).toBe(404);
    const statuses: number[] = [];
    for (let guesses = 0; guesses < 40; guesses += 1) statuses.push((await page(stage, 'f'.repeat(32))).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
