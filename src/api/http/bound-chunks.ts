import type { IncomingMessage } from 'node:http';

/** A body within any limit has some dozens. Each costs the same, however short it is. */
const MAX_CHUNKS = 1_000;
/** Of a body with the sizes and extensions of its chunks, as they arrive. Several times the longest body that a route takes. */
const MAX_BYTES = 256 * 1024;

/** Closes the connection of a request whose body comes in too many chunks or bytes, with an answer in one sentence. */
export function boundChunks(incoming: IncomingMessage): void {
  if (incoming.headers['transfer-encoding'] === undefined) return;
  const { socket } = incoming;
  const push = incoming.push.bind(incoming);
  const bytesBefore = socket.bytesRead;
  let count = 0;
  let isRefused = false;
  const refuse = (text: string) => {
    isRefused = true;
    socket.end(buildRefusal(text), () => socket.destroy());
    incoming.destroy();
  };
  // Node calls this for each chunk that it has parsed. A listener would start to read a body that no route wants.
  incoming.push = (chunk, encoding) => {
    if (chunk === null) return push(chunk, encoding);
    if (isRefused) return false;
    count += 1;
    if (count > MAX_CHUNKS) refuse(`The body must have at most ${MAX_CHUNKS} chunks.`);
    else if (socket.bytesRead - bytesBefore > MAX_BYTES)
      refuse(`The body must have at most ${MAX_BYTES} bytes with its chunks.`);
    return !isRefused && push(chunk, encoding);
  };
}

const buildRefusal = (text: string): string =>
  [
    'HTTP/1.1 413 Payload Too Large',
    'connection: close',
    'content-type: text/plain; charset=UTF-8',
    `content-length: ${text.length}`,
    '',
    text,
  ].join('\r\n');
