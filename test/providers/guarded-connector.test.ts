import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createDnsLookup } from '../../src/providers/dns-lookup.ts';
import { stretch } from '../kit/busy.ts';

type Found = { address: string; family: number };

/** A name server on loopback that treats each question as `answer` does. */
async function openNameServer(
  answer: (question: Buffer) => Buffer | undefined,
  onTestFinished: (end: () => void) => void,
) {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const reply = answer(question);
    if (reply) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** RFC 1035, section 4.1: an answer with these records. The type of a question without further records is its last but third byte. */
const answerWith = (records: Readonly<Record<number, string>>) => (question: Buffer) => {
  const type = question.readUInt16BE(question.indexOf('\0', 12) + 1);
  const asked = Buffer.from(question.subarray(0, question.indexOf('\0', 12) + 5));
  const data = Buffer.from(records[type] ?? '', 'hex');
  asked.writeUInt16BE(0x8180, 2); // An answer, without an error.
  asked.writeUInt16BE(data.length === 0 ? 0 : 1, 6);
  asked.writeUInt32BE(0, 8); // No further sections.
  if (data.length === 0) return asked;
  const record = Buffer.from('c00c000000010000003c0000', 'hex');
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([asked, record, data]);
};

const lookUp = (servers: readonly string[], name: string) =>
  promisify<Found[]>((done) => createDnsLookup(servers)(name, { all: true }, (error, found) => done(error, found)))();

test('a name server that never answers keeps no other look-up waiting', async ({ onTestFinished }) => {
  const silent = await openNameServer(() => undefined, onTestFinished);
  const startedAtMs = performance.now();
  const lost = Promise.allSettled(Array.from({ length: 20 }, (_, i) => lookUp([silent], `hooks-${i}.example`)));
  await dns.lookup('localhost');
  expect(performance.now() - startedAtMs).toBeLessThan(stretch(500));
  for (const each of await lost) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEOUT' } });
  expect(performance.now() - startedAtMs).toBeLessThan(stretch(5_000)); // Before the connection times out.
});

test('a name has all its addresses, or those of one family', async ({ onTestFinished }) => {
  const [A, AAAA] = [1, 28];
  const v6 = '20010db8000000000000000000000001';
  const both = await openNameServer(answerWith({ [A]: '08080808', [AAAA]: v6 }), onTestFinished);
  const four = { address: '8.8.8.8', family: 4 };
  const six = { address: '2001:db8::1', family: 6 };
  expect(await lookUp([both], 'hooks.example')).toEqual([four, six]);
  const old = await openNameServer(answerWith({ [A]: '08080808' }), onTestFinished);
  expect(await lookUp([old], 'hooks.example')).toEqual([four]);
  const young = await openNameServer(answerWith({ [AAAA]: v6 }), onTestFinished);
  expect(await lookUp([young], 'hooks.example')).toEqual([six]);
  const empty = await openNameServer(answerWith({}), onTestFinished);
  await expect(lookUp([empty], 'hooks.example')).rejects.toMatchObject({ code: 'ENODATA' });
});
