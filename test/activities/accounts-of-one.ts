import type { Capability } from '../../src/basics/codes.ts';
import { type ConnectionId, type GrantId, newId } from '../../src/basics/ids.ts';
import type { Secret } from '../../src/basics/secret.ts';
import type { Account, Call, Provider, Tokens } from '../../src/providers/provider.ts';
import { openStage } from '../kit/activity-stage.ts';
import { newTokens } from '../kit/fake-provider.ts';
import type { Database } from '../kit/postgres.ts';

/** An account of the registration, and the failures of calls for it. */
export interface ScriptedAccount {
  readonly capabilities?: readonly Capability[];
  readonly tokens?: Partial<Tokens>;
  /** The result of a refresh. */
  readonly fresh?: Partial<Tokens>;
  /** The result of a read. By default the stored one. */
  readonly account?: Partial<Account>;
  readonly read?: Error;
  readonly posts?: Error;
  readonly refresh?: Error;
  /** Happens before the platform is asked, and before the permit for it. */
  readonly before?: (grantId: GrantId) => Promise<unknown>;
}

/** Connections of one registration. Each request asks for its turn and its permit, as those of the real adapters do. */
export async function openAccounts(sql: Database, scripts: readonly ScriptedAccount[]) {
  const stage = await openStage(sql);
  const { provider } = stage;
  const numbers = new Map<string, number>();
  const sent: string[] = [];
  const listed: Parameters<Provider['listContent']>[1][] = [];
  const accounts: { connectionId: ConnectionId; grantId: GrantId }[] = [];
  for (const [number, { capabilities, ...script }] of scripts.entries()) {
    const tokens = newTokens(script.tokens);
    numbers.set(tokens.accessToken.reveal(), number);
    accounts.push(
      await stage.newConnection({ tokens, scope: stage.seeded.newScope(), ...(capabilities && { capabilities }) }),
    );
  }

  /** @returns the number of the account. @throws the scripted failure */
  async function send(kind: 'read' | 'posts' | 'refresh', accessToken: Secret, call: Call): Promise<number> {
    const number = numbers.get(accessToken.reveal()) ?? -1;
    await scripts[number]?.before?.(accounts[number]?.grantId ?? newId<GrantId>());
    await call.admit({ quotaUnits: 0, cannotWait: false });
    sent.push(`${kind} ${number}`);
    const error = scripts[number]?.[kind];
    if (error) throw error;
    return number;
  }

  provider.readAccount.mockImplementation(async ({ accessToken }, call) => {
    const number = await send('read', accessToken, call);
    const { connectionId } = accounts[number] ?? {};
    const [row] = await sql`
      select provider_account_id, profile from connection where connection_id = ${connectionId ?? null}
    `;
    const stored = { providerAccountId: String(row?.providerAccountId), aliasIds: [], profile: row?.profile };
    return { ...stored, ...scripts[number]?.account };
  });
  provider.listContent.mockImplementation(async ({ accessToken }, input, call) => {
    listed.push(input);
    await send('posts', accessToken, call);
    return { items: [], cursor: null, reachedEnd: true };
  });
  provider.refresh.mockImplementation(async (_client, { accessToken }, call) => {
    const number = await send('refresh', accessToken, call);
    const fresh = newTokens(scripts[number]?.fresh);
    numbers.set(fresh.accessToken.reveal(), number);
    return fresh;
  });
  return { stage, accounts, registrationId: stage.seeded.registrations.PROVIDER_B, sent, listed };
}
