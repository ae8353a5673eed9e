import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createPostgresService } from '../../local/src/postgres.ts';
import { startService } from '../kit/at-work.ts';
import { planCluster, prepareCluster } from '../kit/cluster.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';

const WAL_SEGMENT_MB = 16;

/** How often each text occurs in the files below a folder, as bytes. */
function countIn<Name extends string>(folder: string, texts: Readonly<Record<Name, string>>): Record<Name, number> {
  const names = Object.keys(texts) as Name[];
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const relative of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, relative);
    if (!statSync(file).isFile()) continue;
    const bytes = readFileSync(file);
    for (const name of names) {
      for (let at = bytes.indexOf(texts[name]); at >= 0; at = bytes.indexOf(texts[name], at + 1)) counts[name] += 1;
    }
  }
  return counts;
}

/** `npx vitest run test/worker/erased-files.test.ts` prints how often the files have each id; see docs/security.md. */
test('Postgres’ files hold nothing of an erased person after VACUUM FULL and a switch of the WAL, and never held tokens', async () => {
  const run = await openRunFolder();
  const options = await planCluster(run.folder, { durable: true });
  mkdirSync(run.folder, { recursive: true });
  const postgres = new Part(await createPostgresService(options), run);
  await postgres.start();
  const service = await startService({}, { cluster: await prepareCluster(options) });
  try {
    const { sql, control } = service;
    const user = await service.newUser();
    const account = user.account('PROVIDER_B', /right to left/);
    const connectionId = await user.connect('PROVIDER_B', account);
    const [post] = control.posts(account);
    const { externalSubjectId, tenantKey } = user.scope;
    const personal: Record<string, string> = { subject: externalSubjectId, account, post: post?.id ?? '' };
    const values = control.grants().flatMap((grant) => grant.tokens.map(({ value }) => value));
    const tokens = Object.fromEntries(values.map((value, index) => [`token ${index}`, value]));
    expect(values.length).toBeGreaterThan(1);

    const figures: Record<string, object> = {};
    const look = async (when: string) => {
      await sql`checkpoint`;
      const data = countIn(path.join(options.data, 'base'), { ...personal, ...tokens });
      const wal = countIn(path.join(options.data, 'pg_wal'), { ...personal, ...tokens });
      for (const name of Object.keys(tokens)) expect((data[name] ?? 0) + (wal[name] ?? 0), `${name}, ${when}`).toBe(0);
      const personalOnly = (counts: Record<string, number>) =>
        Object.fromEntries(Object.keys(personal).map((name) => [name, counts[name]]));
      const found = { 'data files': personalOnly(data), WAL: personalOnly(wal) };
      figures[when] = found;
      return found;
    };
    const before = await look('before the erase');
    for (const count of [...Object.values(before['data files']), ...Object.values(before.WAL)]) {
      expect(count).toBeGreaterThan(0); // The search would find them.
    }

    const input = `{ appId: "${user.appId}", tenantKey: "${tenantKey}", externalSubjectId: "${externalSubjectId}" }`;
    expect((await service.operate(`eraseSubject(input: ${input})`)).errors).toBeUndefined();
    await expect.poll(() => user.outcome('connection', { id: connectionId })).toBe('NOT_FOUND');
    await expect
      .poll(async () => (await sql`select from connection where connection_id = ${connectionId}`).length, {
        timeout: 20_000,
      })
      .toBe(0);
    await look('after the erase');
    await sql`vacuum`;
    await look('after VACUUM');
    await sql`vacuum full`;
    const rewritten = await look('after VACUUM FULL');
    expect(rewritten['data files']).toEqual({ subject: 0, account: 0, post: 0 });

    // Postgres writes new WAL over old files: each switch ends one file and zeroes its rest.
    const isGone = (found: Awaited<ReturnType<typeof look>>) => Object.values(found.WAL).every((count) => count === 0);
    let segments = 0;
    let found = rewritten;
    while (!isGone(found) && segments < 100) {
      for (let count = 0; count < 5; count += 1) {
        await sql`select pg_logical_emit_message(false, 'turn', repeat('x', 100))`;
        await sql`select pg_switch_wal()`;
        segments += 1;
      }
      found = await look(`after ${segments * WAL_SEGMENT_MB} MB more of WAL`);
    }
    expect(isGone(found)).toBe(true);
    console.log(JSON.stringify(figures, null, 1));
  } finally {
    await service.close();
    await postgres.kill();
    run.remove();
  }
});
