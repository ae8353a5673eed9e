import { lastDays } from '../test/stack/person.ts';
import { stackTest } from '../test/stack/stack.ts';
import { startBareGraphql } from './bare/processes.ts';
import { sideBySide, timed } from './side-by-side.ts';

const test = stackTest({ adjustments: { LOG_LEVEL: 'warn' } });
const ROUNDS = { rounds: 400, warmUps: 200 };
const POSTS = 20;

async function bareAsk(url: string, query: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data: Record<string, unknown> | null };
  if (!data || Object.values(data).includes(null)) throw new Error('The bare server has not answered.');
}

test('reads', async ({ service, newPerson }) => {
  const person = newPerson();
  const { connectionId } = await person.connect('PROVIDER_B', person.account('PROVIDER_B', /^250 posts/));
  await person.synced(connectionId);
  const scan = await person.ask('requestRefresh', { connectionId, window: lastDays(80) });
  await person.ended(connectionId, scan.id);
  const window = { ...lastDays(80), first: POSTS };
  const { items } = await person.ask('content', { connectionId, window });
  if (items.length !== POSTS) throw new Error('Too few posts to read.');
  const bare = await startBareGraphql(service);
  const ours = (name: string, read: () => Promise<unknown>) => ({ name, once: () => timed(read) });
  const least = (name: string, query: string) => ({ name, once: () => timed(() => bareAsk(bare.url, query)) });
  try {
    await sideBySide(
      'Reading one connection, from request to answer',
      [
        least('a bare Yoga with one query of Postgres', `{ connection(id: "${connectionId}") { id provider status } }`),
        ours('connection', () => person.connection(connectionId)),
        ours('connections, a page of them', () => person.ask('connections', { first: 20 })),
        ours('integrationReadiness', () => person.ask('integrationReadiness')),
      ],
      ROUNDS,
    );
    const fields =
      'id providerContentId provider kind canonicalUrl thumbnailUrl title description publishedAt availability reason ' +
      'observedAt metrics { name value availability reason sourceField }';
    await sideBySide(
      `Reading ${POSTS} posts, from request to answer`,
      [
        least(
          'a bare Yoga with one query of Postgres',
          `{ content(connectionId: "${connectionId}", first: ${POSTS}) { ${fields} } }`,
        ),
        ours('content', () => person.ask('content', { connectionId, window })),
      ],
      ROUNDS,
    );
  } finally {
    await bare.stop();
  }
});
