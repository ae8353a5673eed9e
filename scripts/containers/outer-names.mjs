// The name server that those of Podman's networks ask about names that they do not know, in a network namespace of its own.
// A container of two networks may ask the wrong one of theirs first, and believes it that a name does not exist. So this one asks
// all of them. It answers soon that external names do not exist: otherwise each question, such as gRPC's for its settings, would wait
// for an unreachable server.
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

const HEADER_BYTES = 12;
const TYPE_AND_CLASS_BYTES = 4;
/** A response, recursion wanted and available, code 3: RFC 1035, section 4.1.1. */
const NO_SUCH_NAME = 0x8183;
const CODE_BITS = 0x0f;
/** For the network that knows a name, which answers at once. */
const PATIENCE_MS = 100;

/** @returns the name, type and class that a message asks for, without its header */
function readQuestion(message) {
  let end = HEADER_BYTES;
  while (message[end]) end += message[end] + 1;
  return message.subarray(HEADER_BYTES, end + 1 + TYPE_AND_CLASS_BYTES);
}

function refuse(message) {
  const reply = Buffer.from(message.subarray(0, HEADER_BYTES + readQuestion(message).length));
  reply.writeUInt16BE(NO_SUCH_NAME, 2);
  reply.fill(0, 6, HEADER_BYTES); // No records.
  return reply;
}

/** Of Podman's networks, which are interfaces of this namespace. */
const listNameServers = () =>
  Object.entries(networkInterfaces())
    .filter(([name]) => name.startsWith('cni-'))
    .flatMap(([, addresses = []]) => addresses.filter(({ family }) => family === 'IPv4'))
    .map(({ address }) => address);

/** By question. A name server that does not know a name asks us back, and waits with the others. */
const asked = new Map();

/** @returns the answer of one of the networks' name servers, or that the name does not exist */
async function askAll(message) {
  const question = readQuestion(message).toString('hex');
  if (!asked.has(question))
    asked.set(
      question,
      askOnce(message).finally(() => asked.delete(question)),
    );
  const reply = Buffer.from(await asked.get(question));
  message.copy(reply, 0, 0, 2); // Its number.
  return reply;
}

function askOnce(message) {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(refuse(message)), PATIENCE_MS);
    socket.on('message', (reply) => {
      if ((reply[3] & CODE_BITS) !== 0) return;
      clearTimeout(timer);
      resolve(reply);
    });
    socket.on('error', () => {}); // A network that has just been removed.
    for (const address of listNameServers()) socket.send(message, 53, address);
  }).finally(() => socket.close());
}

const servers = [...readFileSync('/etc/resolv.conf', 'utf8').matchAll(/^nameserver (\d+\.\d+\.\d+\.\d+)$/gm)];
for (const [, address = ''] of servers) {
  if (!address.startsWith('127.')) execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo']);
  const socket = createSocket('udp4');
  socket.on('message', async (message, { port, address: from }) => {
    socket.send(await askAll(message), port, from);
  });
  socket.bind(53, address);
}
