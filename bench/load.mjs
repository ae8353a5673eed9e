// Sends requests from a process of its own, checks every response and reports its duration.
import { Client } from 'undici';
import { cases as accepts } from './accepts.mjs';
import { cases as reads } from './reads.mjs';

const cases = { ...reads, ...accepts };
/** The requests for each program, by its name; under the empty name, those for all others. */
const asked = new Map();

/**
 * Prepares the requests. @param program the name of the program to ask; all by default.
 * @param most how many requests a run may send: a target of a mutation serves once.
 */
function prepare({ name, program = '', targets, appKeys, most = Number.POSITIVE_INFINITY }) {
  const headersOf = Object.fromEntries(
    Object.entries(appKeys).map(([appId, key]) => [
      appId,
      { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    ]),
  );
  asked.set(program, { one: cases[name], targets, headersOf, most, turn: 0 });
}

async function run({ name, url, ms, connections }) {
  const { origin, pathname } = new URL(url);
  const requests = asked.get(name) ?? asked.get('');
  const { one, targets, headersOf, most } = requests;
  const latencies = [];
  let bytes = 0;
  let sent = 0;
  const startedAt = performance.now();
  const until = startedAt + ms;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(origin);
      while (performance.now() < until && sent < most) {
        sent += 1;
        // Cycles through all targets, so that no response is in a cache from a moment ago.
        requests.turn = (requests.turn + 1) % targets.length;
        const target = targets[requests.turn];
        const headers = headersOf[target.appId];
        const body = JSON.stringify({ query: one.query, variables: target.variables });
        const sentAt = performance.now();
        const response = await client.request({ method: 'POST', path: pathname, headers, body });
        const text = await response.body.text();
        latencies.push(performance.now() - sentAt);
        bytes = text.length;
        if (response.statusCode !== 200) throw new Error(`${name}: ${response.statusCode} ${text.slice(0, 300)}`);
        const fault = one.findFault(JSON.parse(text), target);
        if (fault !== undefined) throw new Error(`${name}: ${fault}: ${text.slice(0, 300)}`);
      }
      await client.close();
    }),
  );
  return { count: latencies.length, ms: performance.now() - startedAt, latencies, bytes };
}

process.on('message', async (/** @type {any} */ message) => {
  try {
    if (message.kind === 'run') return process.send(await run(message));
    prepare(message);
    process.send({});
  } catch (error) {
    process.send({ error: error.stack });
  }
});
process.once('disconnect', () => process.exit(0));
