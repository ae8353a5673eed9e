import type { IncomingMessage, ServerResponse } from 'node:http';

/** The connections that had such a request. Node has parsed whatever follows it there by our reading alone. */
const distrusted = new WeakSet<object>();

/**
 * Refuses a request that another HTTP server could read differently, where Node's parser leaves that to us, and closes its
 * connection. Requests behind it get no answer. @returns false for any other request.
 */
export function refuseAmbiguous(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const { socket } = incoming;
  if (distrusted.has(socket)) return true;
  const fault = findFault(incoming);
  if (fault === undefined) return false;
  distrusted.add(socket);
  outgoing.writeHead(fault.status, { connection: 'close', 'content-type': 'text/plain; charset=UTF-8' });
  outgoing.end(fault.text, () => socket.destroySoon());
  return true;
}

/** RFC 9112, sections 3.2 (Host) and 6.1 (Transfer-Encoding). */
function findFault({ headersDistinct, httpVersion }: IncomingMessage): { status: 400 | 501; text: string } | undefined {
  const { host, 'transfer-encoding': codings } = headersDistinct;
  if (host !== undefined && host.length > 1) return { status: 400, text: 'A request has one Host header.' };
  if (codings === undefined) return undefined;
  if (httpVersion === '1.0') return { status: 400, text: 'HTTP/1.0 has no Transfer-Encoding.' };
  if (codings.length === 1 && codings[0] === 'chunked') return undefined;
  return { status: 501, text: 'The only Transfer-Encoding is chunked.' };
}
