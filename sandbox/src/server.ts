import type { Server } from 'node:http';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { KNOWN_CLIENTS } from './clients.ts';
import { Consents } from './consents.tsx';
import { Control } from './control.ts';
import { serveControl } from './control-api.ts';
import { serveControlPages } from './control-pages.tsx';
import { Deliveries } from './deliveries.ts';
import { EMULATIONS } from './emulations.ts';
import { type SandboxApp, serveUnknown } from './endpoint.ts';
import { EXPLORER_PATH, type ExplorerOptions, serveExplorer } from './explorer.ts';
import { IDP_PATH, Idp } from './idp/idp.ts';
import { serveIdpInteraction } from './idp/interaction.tsx';
import { forEachPlatform } from './model.ts';
import { servePictures } from './pictures.ts';
import { refuseOtherHosts } from './refuse-other-hosts.ts';
import { StateFile } from './state-file.ts';
import { serveVisits } from './visit.tsx';
import { World } from './world.ts';

export interface SandboxOptions {
  /** 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** 0 takes any free port. */
  readonly port: number;
  /** The URL for browsers and the service, if not host and port. */
  readonly url?: string | undefined;
  /** The same seed gives the same accounts and posts. */
  readonly seed?: string | undefined;
  /** How many ordinary accounts each platform has besides the usual ones; none by default. */
  readonly crowd?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: (() => number) | undefined;
  /** A file that keeps grants, tokens and edits across restarts. */
  readonly stateFile?: string | undefined;
  /** The OpenID client's redirect URIs, compared exactly. Without it any loopback sign-in callback works. */
  readonly idpRedirectUris?: readonly string[] | undefined;
  /** Starts the OpenID provider at once. Its first answer would take longer than a client waits on a busy machine. */
  readonly startIdp?: boolean | undefined;
  /** Permits an address that other hosts can reach. The sandbox has no protection. */
  readonly allowNonLoopback?: boolean | undefined;
  /** Serves a GraphQL explorer of the service at `/explorer`. */
  readonly explorer?: ExplorerOptions | undefined;
}

export interface Sandbox {
  readonly url: string;
  readonly control: Control;
  close(): Promise<void>;
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** Starts the sandbox. @throws Error for an address that other hosts can reach, unless `allowNonLoopback` is set */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = '127.0.0.1', port, seed = 'demo', allowNonLoopback = false } = options;
  if (!LOOPBACK.includes(host) && !allowNonLoopback) {
    throw new Error(
      `The sandbox listens on loopback only, and ${host} is not. Set SANDBOX_ALLOW_NON_LOOPBACK=true to permit it.`,
    );
  }
  const world = new World(
    forEachPlatform((platform) => ({ ...EMULATIONS[platform], client: KNOWN_CLIENTS[platform] })),
    seed,
    options.clock,
    options.crowd,
  );
  const stateFile = options.stateFile === undefined ? null : new StateFile(world, options.stateFile);
  const deliveries = new Deliveries(() => world.clock.now());
  const idp = new Idp(world, seed, options.idpRedirectUris ?? null);
  const consents = new Consents(world);

  const app: SandboxApp = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (_context, next) => {
    await next();
    stateFile?.saveSoon();
  });
  for (const path of ['/', '/accounts/*', '/actions/*', '/control/*', '/visit', `${EXPLORER_PATH}/*`])
    app.use(path, refuseOtherHosts(world, allowNonLoopback));
  const senders = forEachPlatform((platform) => EMULATIONS[platform].serve(app, { world, consents, deliveries }));
  const control = new Control({ world, deliveries, senders, idp });
  serveControl(app, control);
  serveControlPages(app, control, { withExplorer: options.explorer !== undefined });
  serveVisits(app, control);
  if (options.explorer !== undefined) serveExplorer(app, control, options.explorer);
  servePictures(app);
  serveIdpInteraction(app, idp);
  app.all(`${IDP_PATH}/*`, async ({ env }) => {
    await idp.handle(env.incoming, env.outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  serveUnknown(app, world);

  const server = createAdaptorServer({ fetch: app.fetch, hostname: 'localhost' }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  world.url = options.url?.replace(/\/+$/, '') ?? `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
  if (options.startIdp) await idp.provider();

  return {
    url: world.url,
    control,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections(); // Deliberately hanging calls would keep the server open.
      await Promise.all([closed, deliveries.close()]);
      await stateFile?.close();
    },
  };
}
