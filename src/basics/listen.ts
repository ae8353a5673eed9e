import type { Server } from 'node:net';

/** The address of a server, and the names of its settings. */
export interface ListenAt {
  /** A name, or an address without brackets. `::` means every interface, in IPv4 alone where there is no IPv6. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** The prefix of the names of its two settings, such as `API` for API_HOST and API_PORT. */
  readonly settings?: string | undefined;
}

/** A server cannot listen. The message is a sentence for operators, and names the setting. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** Node's own, such as EADDRINUSE. */
  readonly code: string;

  constructor(code: string, message: string, options: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Completes a sentence about a setting, `HOST` or `PORT`. */
type Cause = readonly ['HOST' | 'PORT', (at: ListenAt) => string];

const noAddress: Cause = ['HOST', ({ host }) => `this machine has no address ${host}`];
const noName: Cause = ['HOST', ({ host }) => `the name ${host} leads to no address`];

const CAUSES: Readonly<Record<string, Cause>> = {
  EADDRINUSE: ['PORT', ({ host, port }) => `another process listens on port ${port} of ${host}`],
  EACCES: ['PORT', ({ port }) => `the user of this process may not listen on port ${port}, which is below 1024`],
  EADDRNOTAVAIL: noAddress,
  EAFNOSUPPORT: noAddress,
  EINVAL: noAddress, // A link-local address without its zone.
  ENOTFOUND: noName,
  EAI_AGAIN: noName,
};

function explain(code: string, at: ListenAt): string {
  const [kind, describe] = CAUSES[code] ?? ['HOST', ({ host, port }) => `it failed at ${host}, port ${port}`];
  const setting = at.settings === undefined ? '' : `${at.settings}_${kind}: `;
  return `${setting}cannot listen, because ${describe(at)} (${code}).`;
}

/** @returns the port. @throws ListenError */
export async function listen(server: Server, at: ListenAt): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // Node itself takes every interface if it gets no host, and IPv4 where the machine has no IPv6.
      server.listen({ port: at.port, ...(at.host !== '::' && { host: at.host }) }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    throw new ListenError(code, explain(code, at), { cause: error });
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
