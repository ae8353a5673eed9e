import type { IncomingMessage, ServerResponse } from 'node:http';
import { areEscapesUtf8 } from '../../basics/utf8.ts';

/** The connections that had such a request. Node has parsed the rest of the stream by our reading alone. */
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
  if (isConsolePage(incoming)) outgoing.writeHead(303, { connection: 'close', location: '/admin/not-found' });
  else outgoing.writeHead(fault.status, { connection: 'close', 'content-type': 'text/plain; charset=UTF-8' });
  outgoing.end(fault.text, () => socket.destroySoon());
  return true;
}

/** An operator's browser opens a page, by a link that was cut. The console says that it has no such page, with a way back. */
const isConsolePage = ({ method, url = '', headers: { accept = '' } }: IncomingMessage): boolean =>
  method === 'GET' && url.startsWith('/admin/') && accept.includes('text/html');

/** A person's browser sends the platform's parameters. A page answers, see `connect/callback.ts`. */
const CALLBACK = /^\/api\/(?:connect|identity)\/callback\//;

/** RFC 9112, sections 3.2 (Host) and 6.1 (Transfer-Encoding); RFC 3986, section 2.5 (UTF-8). */
function findFault({
  headersDistinct,
  httpVersion,
  url = '',
}: IncomingMessage): { status: 400 | 501; text: string } | undefined {
  if (!CALLBACK.test(url) && !areEscapesUtf8(url.slice(url.indexOf('?') + 1)))
    return { status: 400, text: 'Escapes in a URL are UTF-8.' };
  const { host, 'transfer-encoding': codings } = headersDistinct;
  if (host !== undefined && host.length > 1) return { status: 400, text: 'A request has one Host header.' };
  if (codings === undefined) return undefined;
  if (httpVersion === '1.0') return { status: 400, text: 'HTTP/1.0 has no Transfer-Encoding.' };
  if (codings.length === 1 && codings[0] === 'chunked') return undefined;
  return { status: 501, text: 'The only Transfer-Encoding is chunked.' };
}
