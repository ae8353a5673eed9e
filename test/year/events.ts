import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { Secret } from '../../src/basics/secret.ts';
import { replay } from '../../src/cli/replay.ts';
import { reseal } from '../../src/cli/reseal.ts';
import type { WorkerConfig } from '../../src/config/config.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { openDatabase } from '../../src/store/driver/sql.ts';
import { createMac } from '../../src/vault/mac.ts';
import { asMaintenance } from '../kit/postgres.ts';
import { combineKeys, KEY_SETS } from '../kit/rotate-keys.ts';
import type { Inhabitant } from './people.ts';
import type { World } from './world.ts';

/** Replaces all key sets, as docs/production.md says. */
export async function rotateKeys({ service }: World, mark: string): Promise<void> {
  const [old, fresh] = [service.keys, await makeKeys()];
  await service.replace(combineKeys(old, fresh, mark, (_set, before, key) => [...before, key]));
  const both = combineKeys(old, fresh, mark, (_set, before, key) => [key, ...before]);
  await service.replace(both);
  const keySets = Object.fromEntries(KEY_SETS.map((name) => [name, JSON.parse(both[name])]));
  await reseal(asMaintenance(service.sql), keySets as never, { dryRun: false });
  await service.replace(
    combineKeys(old, fresh, mark, (set, before, key) => (set === 'VAULT_MAC_KEYS' ? [key, ...before] : [key])),
  );
}

/** Replaces the secret of each client of an app. */
export async function rotateClientSecrets({ service }: World, people: readonly Inhabitant[]): Promise<void> {
  const clients = await service.sql`
    select r.registration_id, r.provider, r.client_id from registration r join registration_app s using (registration_id)
    where s.app_id = any(${[...new Set(people.map(({ user }) => user.appId))]}::uuid[])
  `;
  for (const { registrationId, provider, clientId } of clients) {
    const clientSecret = randomUUID();
    service.control.registerClient({ provider, clientId, clientSecret });
    await service.operate(`rotateRegistrationSecret(id: "${registrationId}", clientSecret: "${clientSecret}")`);
  }
}

/** Replaces an app's client at a provider by another one. Its people connect again, one after the other, and keep their connections. */
export async function replaceRegistration(world: World, people: readonly Inhabitant[]): Promise<void> {
  const { service } = world;
  const [first] = people;
  if (first === undefined) return;
  const { provider, user } = first;
  const serving = await service.sql`
    select registration_id from registration_app join registration using (registration_id)
    where app_id = ${user.appId} and provider = ${provider}
  `;
  const client = { clientId: `client-${randomUUID()}`, clientSecret: randomUUID(), project: randomUUID() };
  service.control.registerClient({ provider, ...client });
  const input = `provider: ${provider}, label: "Next", clientId: "${client.clientId}", clientSecret: "${client.clientSecret}"`;
  await service.operate(`createRegistration(input: { ${input} })`);
  const [made] = await service.sql`select registration_id from registration where client_id = ${client.clientId}`;
  await service.operate(`serveApp(registrationId: "${made?.registrationId}", appId: "${user.appId}")`);
  for (const { registrationId } of serving)
    await service.operate(`stopServingApp(registrationId: "${registrationId}", appId: "${user.appId}")`);
  for (const person of people) {
    const before = person.connectionId;
    await person.connect(world);
    if (person.connectionId !== before) throw new Error(`${person.name} has another connection than before.`);
  }
}

/** A backup is made, somebody leaves, the backup is restored, and the journal is replayed. */
export async function restoreBackup(world: World, leaving: Inhabitant): Promise<void> {
  const { service } = world;
  const { sql } = service;
  const [{ name } = { name: '' }] = (await sql`select current_database() as name`) as unknown as [{ name: string }];
  const copy = `backup_${randomUUID().replaceAll('-', '')}`;
  const maintenance = openDatabase(new Secret(inject('maintenanceUrl')), { poolSize: 1, applicationName: 'tests' });
  const clone = async (to: string, from: string) => {
    await maintenance`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${from}`;
    await maintenance`create database ${maintenance(to)} template ${maintenance(from)}`;
  };
  /** Connections that were ended say so once. */
  const renew = () =>
    Promise.allSettled(Array.from({ length: sql.options.max }, () => sql`select pg_sleep(0.05)`)).then(() => undefined);
  try {
    await service.interrupt(async () => {
      await clone(copy, name);
      await renew();
    });
    await leaving.leave(world);
    const open = await world.rest();
    if (open !== '') throw new Error(`Before the restore: ${open}`);
    const isWritten = async () => (await sql`select from journal_entry limit 1`).length === 0;
    while (!(await isWritten())) await service.sweep('reconcile');
    await service.interrupt(async (worker) => {
      await maintenance`drop database ${maintenance(name)} with (force)`;
      await clone(name, copy);
      await renew();
      await world.setClock();
      await replayJournal(world, worker);
    });
    leaving.receipts = undefined; // They are of the replay's own disconnect now.
  } finally {
    await maintenance`drop database if exists ${maintenance(copy)} with (force)`;
    await maintenance.end();
  }
}

async function replayJournal({ service, journal: folder }: World, worker: WorkerConfig): Promise<void> {
  const sql = openDatabase(worker.DATABASE_URL, { poolSize: 2, applicationName: 'cli' });
  try {
    const mac = createMac(worker.VAULT_MAC_KEYS);
    const { createTemporalClient } = await import('../../src/temporal/client.ts');
    const temporal = createTemporalClient(worker);
    const { repeated } = await replay(
      {
        ...{ sql, mac, temporal, journal: openJournal(folder, mac), taskQueue: service.taskQueue },
        ...{ facts: createCatalog(worker), suspendSiblings: true },
      },
      { dryRun: false },
    );
    await temporal.connection.close();
    if (repeated === 0) throw new Error('The replay has repeated nothing.');
  } finally {
    await sql.end({ timeout: 5 });
  }
}
