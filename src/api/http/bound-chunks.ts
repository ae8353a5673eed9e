import type { IncomingMessage } from 'node:http';

/** A body within any limit has some dozens. Each costs the same, however short it is. */
const MAX_CHUNKS = 1_000;

/** Closes the connection of a request whose body comes in too many chunks, with an answer in one sentence. */
export function boundChunks(incoming: IncomingMessage): void {
  if (incoming.headers['transfer-encoding'] === undefined) return;
  const { socket } = incoming;
  const push = incoming.push.bind(incoming);
  let count = 0;
  // Node calls this for each chunk that it has parsed. A listener would start to read a body that no route wants.
  incoming.push = (chunk, encoding) => {
    count += 1;
    if (count <= MAX_CHUNKS || chunk === null) return push(chunk, encoding);
    if (count === MAX_CHUNKS + 1) {
      socket.end(REFUSAL, () => socket.destroy());
      incoming.destroy();
    }
    return false;
  };
}

const TEXT = `The body must have at most ${MAX_CHUNKS} chunks.`;
const REFUSAL = [
  'HTTP/1.1 413 Payload Too Large',
  'connection: close',
  'content-type: text/plain; charset=UTF-8',
  `content-length: ${TEXT.length}`,
  '',
  TEXT,
].join('\r\n');
