// Sends requests from a process of its own, checks every response and reports its duration.
import { Client } from 'undici';
import { cases } from './reads.mjs';

let read;
let targets = [];
let turn = 0;

/** Cycles through all targets, so that no response is in a cache from a moment ago. */
const nextTarget = () => {
  turn = (turn + 1) % targets.length;
  return targets[turn];
};

async function run({ name, url, headers, ms, connections }) {
  const { origin, pathname } = new URL(url);
  const latencies = [];
  let bytes = 0;
  const startedAt = performance.now();
  const until = startedAt + ms;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(origin);
      while (performance.now() < until) {
        const target = nextTarget();
        const body = JSON.stringify({ query: read.query, variables: target.variables });
        const sentAt = performance.now();
        const response = await client.request({ method: 'POST', path: pathname, headers, body });
        const text = await response.body.text();
        latencies.push(performance.now() - sentAt);
        bytes = text.length;
        if (response.statusCode !== 200) throw new Error(`${name}: ${response.statusCode} ${text.slice(0, 300)}`);
        const fault = read.findFault(JSON.parse(text), target);
        if (fault !== undefined) throw new Error(`${name}: ${fault}: ${text.slice(0, 300)}`);
      }
      await client.close();
    }),
  );
  return { count: latencies.length, ms: performance.now() - startedAt, latencies, bytes };
}

process.on('message', async (message) => {
  try {
    if (message.kind === 'run') return process.send(await run(message));
    read = cases[message.name];
    targets = message.targets;
    process.send({});
  } catch (error) {
    process.send({ error: error.stack });
  }
});
process.once('disconnect', () => process.exit(0));
