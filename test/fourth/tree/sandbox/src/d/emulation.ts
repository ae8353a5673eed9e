import { createHmac } from 'node:crypto';
import type { Emulation } from '../emulation.ts';
import type { Post, SandboxAccount } from '../model.ts';
import { look } from './seed.ts';
import { serveProviderD } from './serve.ts';
import { defaults, settings } from './settings.ts';

/** Mosaic, which does not exist. */
export const emulationD = {
  settings,
  defaults,
  look,
  listProfileUrls: ({ handle }: SandboxAccount) => [`https://mosaic.example/${handle}`],
  buildPostUrl: ({ handle }: SandboxAccount, { id }: Post) => `https://mosaic.example/${handle}/${id}`,
  hosts: { PROVIDER_D_LOGIN_URL: '/d/login', PROVIDER_D_API_URL: '/d/api' },
  callbacks: [{ kind: 'gone', text: 'gone', url: 'webhookUrl', path: 'gone', tellsRemoval: true }],
  serve(app, parts) {
    serveProviderD(app, parts);
    const { world, deliveries } = parts;
    return (_kind, client, account, { isForged, createdAt } = {}) => {
      if (client.webhookUrl === null) return null;
      const at = new Date(createdAt === undefined ? world.clock.now() : createdAt * 1000).toISOString();
      const body = JSON.stringify({ client: client.clientId, tile: account.id, at });
      const secret = isForged ? 'not-the-secret' : client.clientSecret;
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'mosaic-signature': `sha256=${signature}` };
      return deliveries.send('gone', client.webhookUrl, 'application/json', body, headers);
    };
  },
} satisfies Emulation;
