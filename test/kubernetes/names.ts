import { createSocket } from 'node:dgram';

/** As much of a Service as a name server needs. */
export interface NamedService {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly clusterIP: string; readonly externalIPs?: readonly string[] };
}

const HEADER_BYTES = 12;
const TYPE_AND_CLASS_BYTES = 4;
const ADDRESS_TYPE = 1;
/** A response, recursion wanted and available; with code 3, that there is no such name: RFC 1035, section 4.1.1. */
const ANSWER = 0x8180;
const NO_SUCH_NAME = 0x8183;
const LIFE_S = 5;
const REFRESH_MS = 1_000;

/**
 * The name server of a cluster of one node: it knows the Services, `NAME.NAMESPACE.svc.cluster.local`, and the name of the outside
 * that a Service claims in its annotation `test/name`. Every other name does not exist, since nobody can reach the outside.
 */
export function serveNames(address: string, listServices: () => Promise<readonly NamedService[]>): void {
  let known = new Map<string, string>();
  const refresh = async () => {
    try {
      known = new Map(
        (await listServices()).flatMap(({ metadata, spec }) => {
          const inside = [`${metadata.name}.${metadata.namespace}.svc.cluster.local`, spec.clusterIP] as const;
          const outside = [metadata.annotations?.['test/name'] ?? '', spec.externalIPs?.[0] ?? ''] as const;
          return [inside, outside];
        }),
      );
    } catch {
      // The API is away: what was known stays.
    }
  };
  setInterval(() => void refresh(), REFRESH_MS).unref();
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address: from }) => socket.send(answer(question, known), port, from));
  socket.bind(53, address).unref();
}

function answer(question: Buffer, known: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = [];
  let end = HEADER_BYTES;
  for (let length = question[end]; length; length = question[end]) {
    labels.push(question.toString('latin1', end + 1, end + 1 + length));
    end += length + 1;
  }
  const address = known.get(labels.join('.').toLowerCase());
  const reply = Buffer.from(question.subarray(0, end + 1 + TYPE_AND_CLASS_BYTES));
  reply.writeUInt16BE(address === undefined ? NO_SUCH_NAME : ANSWER, 2);
  reply.fill(0, 6, HEADER_BYTES); // No records.
  if (address === undefined || question.readUInt16BE(end + 1) !== ADDRESS_TYPE) return reply;
  reply.writeUInt16BE(1, 6);
  const numbers = address.split('.').map(Number);
  return Buffer.concat([
    reply,
    Buffer.from([0xc0, HEADER_BYTES, 0, ADDRESS_TYPE, 0, 1, 0, 0, 0, LIFE_S, 0, 4, ...numbers]),
  ]);
}
