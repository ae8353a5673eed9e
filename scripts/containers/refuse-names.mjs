// A name server for a network namespace of its own: answers at once that a name does not exist. Otherwise each question for a
// name outside, such as gRPC's for its settings, would wait for a server that nobody can reach from there.
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';

const HEADER_BYTES = 12;
const TYPE_AND_CLASS_BYTES = 4;
/** A response, recursion wanted and available, code 3: RFC 1035, section 4.1.1. */
const NO_SUCH_NAME = 0x8183;

function answer(question) {
  let end = HEADER_BYTES;
  while (question[end]) end += question[end] + 1;
  const reply = Buffer.from(question.subarray(0, end + 1 + TYPE_AND_CLASS_BYTES));
  reply.writeUInt16BE(NO_SUCH_NAME, 2);
  reply.fill(0, 6, HEADER_BYTES); // No records.
  return reply;
}

const servers = [...readFileSync('/etc/resolv.conf', 'utf8').matchAll(/^nameserver (\d+\.\d+\.\d+\.\d+)$/gm)];
for (const [, address = ''] of servers) {
  if (!address.startsWith('127.')) execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo']);
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address: from }) => socket.send(answer(question), port, from));
  socket.bind(53, address);
}
