import { createHash, randomUUID } from 'node:crypto';
import type { Database } from '../src/store/driver/sql.ts';
import { test } from '../test/kit/postgres.ts';
import { timed } from './flows/timed.ts';
import { median, quantile } from './measure.mjs';

/** The assumption of docs/scale.md that posts can be partitioned by connection, on generated posts in a small and a large table. */
const POSTS = { quick: [1_000, 100_000], usual: [1_000, 1_000_000], full: [1_000, 10_000_000] } as const;
const POSTS_OF_A_CONNECTION = 100;
const PARTITIONS = 64;
const ROUNDS = 400;
const SCHEMAS = ['plain', 'hashed'] as const;
type Schema = (typeof SCHEMAS)[number];

const FILL_BATCH = 100_000;

async function create(sql: Database): Promise<void> {
  const like = 'like public.content_item including defaults including constraints including storage';
  await sql.unsafe(`
    create schema plain; create schema hashed;
    create table plain.content_item (${like}, primary key (content_item_id));
    create table hashed.content_item (${like}, primary key (connection_id, content_item_id)) partition by hash (connection_id);
    ${Array.from({ length: PARTITIONS }, (_, index) => `create table hashed.part_${index} partition of hashed.content_item for values with (modulus ${PARTITIONS}, remainder ${index});`).join('\n')}
    ${SCHEMAS.map(
      (schema) => `
        alter table ${schema}.content_item add unique (connection_id, provider_content_id);
        create index on ${schema}.content_item (connection_id, published_at desc, content_item_id desc);
        create index on ${schema}.content_item (observed_at, content_item_id) where blanked_at is null;`,
    ).join('')}
  `);
}

const insertPosts = (sql: Database, schema: Schema, from: number, count: number) =>
  sql.unsafe(`
    insert into ${schema}.content_item (content_item_id, connection_id, provider_content_id, kind, canonical_url, title,
      description, published_at, availability, metrics, metrics_observed_at, observed_at)
    select md5('post' || n)::uuid, md5('connection' || n / ${POSTS_OF_A_CONNECTION})::uuid, n::text, 'VIDEO',
      'https://platform.example/' || n, 'A post about boats', repeat('Small boats in the harbour. ', 10),
      now() - make_interval(hours => n % 2000), 'AVAILABLE',
      '[{"name": "VIEWS", "value": "100"}, {"name": "LIKES", "value": "10"}]', now(), now() - make_interval(hours => n % 700)
    from generate_series(${from}, ${from + count - 1}) n
    on conflict (connection_id, provider_content_id) do update set title = excluded.title, observed_at = excluded.observed_at
  `);

/** One act on one table, as the service does it. */
const ACTS: Readonly<Record<string, (sql: Database, schema: Schema, posts: number) => Promise<unknown>>> = {
  'read a page of 20 posts': (sql, schema, posts) =>
    sql.unsafe(
      `select * from ${schema}.content_item where connection_id = $1 and published_at < now()
       order by published_at desc, content_item_id desc limit 21`,
      [connectionOf(posts)],
      { prepare: true },
    ),
  'store a page of 20 posts': (sql, schema, posts) =>
    insertPosts(sql, schema, Math.floor(Math.random() * (posts / POSTS_OF_A_CONNECTION)) * POSTS_OF_A_CONNECTION, 20),
  'find posts to blank, of which none is due': (sql, schema) =>
    sql.unsafe(
      `select content_item_id from ${schema}.content_item where blanked_at is null and observed_at < now() - interval '30 days'
       order by observed_at, content_item_id limit 500`,
      [],
      { prepare: true },
    ),
  'delete the posts of a connection without any': (sql, schema) =>
    sql.unsafe(`delete from ${schema}.content_item where connection_id = $1`, [randomUUID()], { prepare: true }),
};

/** The id that the fill computes for a connection; Postgres accepts it without hyphens. */
const connectionOf = (posts: number) =>
  createHash('md5')
    .update(`connection${Math.floor(Math.random() * (posts / POSTS_OF_A_CONNECTION))}`)
    .digest('hex');

test('partitions', { timeout: 3_600_000 }, async ({ database: { sql } }) => {
  await create(sql);
  let stored = 0;
  for (const posts of POSTS[(process.env.BENCH_SIZE ?? 'usual') as keyof typeof POSTS]) {
    for (; stored < posts; stored += Math.min(FILL_BATCH, posts - stored))
      for (const schema of SCHEMAS) await insertPosts(sql, schema, stored, Math.min(FILL_BATCH, posts - stored));
    for (const schema of SCHEMAS) await sql.unsafe(`vacuum analyze ${schema}.content_item`);
    console.log(`\n${posts} posts in one table and in ${PARTITIONS} partitions, in ms`);
    for (const [name, act] of Object.entries(ACTS)) {
      const taken: Record<Schema, number[]> = { plain: [], hashed: [] };
      for (let round = 0; round < ROUNDS; round += 1)
        for (const schema of round % 2 === 0 ? SCHEMAS : [...SCHEMAS].reverse())
          taken[schema].push(await timed(() => act(sql, schema, posts)));
      const [plain, hashed] = [median(taken.plain), median(taken.hashed)];
      const late = SCHEMAS.map((schema) => quantile(taken[schema], 0.99).toFixed(2).padStart(8)).join('');
      console.log(
        `  ${name.padEnd(46)}${plain.toFixed(2).padStart(8)}${hashed.toFixed(2).padStart(8)}  × ${(hashed / plain).toFixed(2)}   p99${late}`,
      );
    }
  }
  const sizes = await sql`
    select n.nspname as schema, pg_size_pretty(sum(pg_table_size(c.oid))) as rows, pg_size_pretty(sum(pg_indexes_size(c.oid))) as indexes,
      round(sum(pg_total_relation_size(c.oid)) / ${stored}) as bytes_per_post
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${[...SCHEMAS]}) and c.relkind = 'r' group by 1
  `;
  for (const { schema, rows, indexes, bytesPerPost } of sizes)
    console.log(`  ${schema}: rows ${rows}, indexes ${indexes}, ${bytesPerPost} bytes per post`);
});
