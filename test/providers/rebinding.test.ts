import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type LookupFunction, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDnsLookup, type LookupAll } from '../../src/providers/dns-lookup.ts';
import { createHttp, type Http } from '../../src/providers/http.ts';
import { call, failureOf } from '../kit/fake-platform.ts';

/** Stands for the attacker's public host: the client may connect to it, as to any public address. */
const PERMITTED = '127.0.0.2';
/** Stands for a host of the operator's own network. */
const INTERNAL = '127.0.0.1';

interface Listener {
  readonly server: Server;
  connections: number;
}

async function listen(address: string, port: number): Promise<Listener> {
  const server = createServer((socket) => {
    listener.connections += 1;
    socket.destroy();
  });
  const listener = { server, connections: 0 };
  server.listen(port, address);
  await once(server, 'listening');
  return listener;
}

/** A DNS server that answers each question for an IPv4 address with the next of its answers, to be kept for 0 s. */
async function openNameServer() {
  const socket = createSocket('udp4');
  let answers: readonly (readonly string[])[] = [];
  let asked = 0;
  socket.on('message', (question, from) => {
    const end = question.indexOf(0, 12) + 5; // The name's end, then its type and class.
    const isA = question.readUInt16BE(end - 4) === 1;
    const addresses = isA ? (answers[asked % answers.length] ?? []) : [];
    if (isA) asked += 1;
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(addresses.length, 6);
    header.writeUInt32BE(0, 8);
    const records = addresses.map((address) => {
      const head = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
      return Buffer.concat([head, Buffer.from(address.split('.').map(Number))]);
    });
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), from.port, from.address);
  });
  socket.bind(0, INTERNAL);
  await once(socket, 'listening');
  return {
    address: `${INTERNAL}:${socket.address().port}`,
    answer(...next: (readonly string[])[]) {
      answers = next;
      asked = 0;
    },
    asked: () => asked,
    close: () => socket.close(),
  };
}

// Only Linux has more than one IPv4 loopback address without further set-up.
describe.skipIf(process.platform !== 'linux')(
  'a name whose address changes between two lookups (DNS rebinding)',
  () => {
    let names: Awaited<ReturnType<typeof openNameServer>>;
    let permitted: Listener;
    let internal: Listener;
    let port: number;
    let lookUp: LookupAll;
    let http: Http;

    beforeAll(async () => {
      names = await openNameServer();
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

    test('leads a client that checks first and connects later to the inside: the attack is real', async () => {
      names.answer([PERMITTED], [INTERNAL]);
      const checked = await new Promise((done) => lookUp('rebind.example', { all: true }, (_, found) => done(found)));
      expect(checked).toEqual([{ address: PERMITTED, family: 4 }]);
      const reached = internal.connections;
      const socket = connect({
        host: 'rebind.example',
        port,
        autoSelectFamily: true,
        lookup: lookUp as LookupFunction,
      });
      await once(socket, 'close');
      expect(internal.connections).toBe(reached + 1);
    });

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
