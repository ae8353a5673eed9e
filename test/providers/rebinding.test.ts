import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDnsLookup, type LookupAll } from '../../src/providers/dns-lookup.ts';
import { createHttp, type Http } from '../../src/providers/http.ts';
import { stretch } from '../kit/busy.ts';
import { call, failureOf } from '../kit/fake-platform.ts';

/** Stands for the attacker's public host: the client may connect to it, as to any public address. */
const PERMITTED = '127.0.0.2';
/** Stands for a host of the operator's own network. */
const INTERNAL = '127.0.0.1';

type Listener = Awaited<ReturnType<typeof listen>>;

async function listen(address: string, port: number) {
  const server = createServer((socket) => {
    listener.connections += 1;
    socket.destroy();
  });
  const listener = { server, connections: 0 };
  server.listen(port, address);
  await once(server, 'listening');
  return listener;
}

/** RFC 1035: the type of a record of a name's IPv4 address. */
const A = 1;
const bytesOf = (address: string) => Buffer.from(address.split('.').map(Number));

/** A DNS server that answers each question for a type with records to be kept for 0 s, or with silence. */
async function openNameServer(find: (type: number) => readonly Buffer[] | 'SILENCE') {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const end = question.indexOf(0, 12) + 5; // The name's end, then its type and class.
    const type = question.readUInt16BE(end - 4);
    const found = find(type);
    if (found === 'SILENCE') return;
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2); // An answer, without an error.
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8); // No further sections.
    const records = found.map((data) => {
      const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([head, data]);
    });
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), from.port, from.address);
  });
  socket.bind(0, INTERNAL);
  await once(socket, 'listening');
  return { address: `${INTERNAL}:${socket.address().port}`, close: () => socket.close() };
}

/** Answers each question for an IPv4 address with the next of its answers. */
async function openChangingNames() {
  let answers: readonly (readonly string[])[] = [];
  let asked = 0;
  const server = await openNameServer((type) => {
    if (type !== A) return [];
    asked += 1;
    return (answers[(asked - 1) % answers.length] ?? []).map(bytesOf);
  });
  return {
    ...server,
    answer(...next: (readonly string[])[]) {
      answers = next;
      asked = 0;
    },
    asked: () => asked,
  };
}

// Only Linux has more than one IPv4 loopback address without further set-up.
describe.skipIf(process.platform !== 'linux')(
  'a name whose address changes between two lookups (DNS rebinding)',
  () => {
    let names: Awaited<ReturnType<typeof openChangingNames>>;
    let permitted: Listener;
    let internal: Listener;
    let port: number;
    let lookUp: LookupAll;
    let http: Http;

    beforeAll(async () => {
      names = await openChangingNames();
      permitted = await listen(PERMITTED, 0);
      ({ port } = permitted.server.address() as AddressInfo);
      internal = await listen(INTERNAL, port);
      lookUp = createDnsLookup([names.address]);
      http = createHttp({ production: true, userAgent: 'tests', privateNetworks: [`${PERMITTED}/32`], lookUp });
    });
    afterAll(async () => {
      names.close();
      permitted.server.close();
      internal.server.close();
      await http.close();
    });

    const get = (host: string) =>
      failureOf(http.request({ where: 'a test', method: 'GET', url: `https://${host}:${port}/`, call: call() }));

    test('never leads our client to the inside, whichever answer comes first', async () => {
      const attempts = [
        [[PERMITTED], [INTERNAL]],
        [[INTERNAL], [PERMITTED]],
        [[PERMITTED, INTERNAL]],
        [[INTERNAL, PERMITTED], [INTERNAL]],
        [[INTERNAL]],
      ];
      const before = { internal: internal.connections, permitted: permitted.connections };
      for (const [index, answers] of attempts.entries()) {
        names.answer(...answers);
        for (let time = 0; time < 4; time += 1) await get(`rebind-${index}.example`);
        expect(names.asked(), `${index}`).toBeGreaterThanOrEqual(4); // Each connection asks again: nothing is cached.
      }
      expect(internal.connections - before.internal).toBe(0);
      expect(permitted.connections - before.permitted).toBeGreaterThanOrEqual(8);
    });
  },
);

const lookUpAll = (server: string, name: string) =>
  promisify<{ address: string; family: number }[]>((done) =>
    createDnsLookup([server])(name, { all: true }, (error, found) => done(error, found)),
  )();

test('a name server that never answers keeps no other look-up waiting', async ({ onTestFinished }) => {
  const { address: silent, close } = await openNameServer(() => 'SILENCE');
  onTestFinished(() => void close());
  const startedAtMs = performance.now();
  const lost = Promise.allSettled(Array.from({ length: 20 }, (_, i) => lookUpAll(silent, `hooks-${i}.example`)));
  await dns.lookup('localhost');
  expect(performance.now() - startedAtMs).toBeLessThan(stretch(500));
  for (const each of await lost) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEOUT' } });
  expect(performance.now() - startedAtMs).toBeLessThan(stretch(5_000)); // Before the connection times out.
});
