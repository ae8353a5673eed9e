import { PAGE_LANGUAGES } from '../../basics/codes.ts';
import { arg, type Command, commandsOf } from '../shape.ts';
import { BULK, chosenBy, dryRun, ofApp, once, pick } from './parts.ts';

const BRANDING = 'branding { color language logo { url width height } }';
const KEY = 'id label createdAt expiresAt revokedAt lastUsedAt active';
const APP = 'id name enabled requestsPerSecond createdAt tenantCount missing';
const WHOLE_APP = `${APP} returnUrls launchOrigins policies { provider capabilities quotaPercent } keys { ${KEY} }
  registrations { id provider label } identity { issuer { id issuer } returnUrl enabled } ${BRANDING}`;
const app = { app: arg('id', 'APP_ID') };

const command = commandsOf('Apps');

/** Apps, and their keys, tenants, URLs, policies and sign-ins. */
export const APP_COMMANDS: Readonly<Record<string, Command>> = {
  'app list': command('apps', 'List apps, newest first', { search: arg('filter.search', 'TEXT') }, APP),
  'app show': command('app', 'Show one app and its settings', app, WHOLE_APP),
  'app create': command(
    'createApp',
    'Register a customer application',
    { name: arg('input.name', 'NAME'), rate: arg('input.requestsPerSecond', 'REQUESTS'), ...once },
    APP,
  ),
  'app change': command(
    'changeApp',
    "Change an app's name or its limit of requests per second",
    { ...app, name: arg('name', 'NAME'), rate: arg('requestsPerSecond', 'REQUESTS') },
    APP,
  ),
  'app disable': command('disableApp', "Refuse an app's requests from now on", app, APP),
  'app use': command('appUse', 'Count the dependents of an app', app, 'connectionCount deletable'),
  'app delete': command('deleteApp', 'Delete an app that was registered by mistake', app, '', {
    confirm: { of: ['app'] },
    show: (deleted: boolean) => ({ deleted }),
  }),
  'app enable': command('enableApp', 'Enable a disabled app', app, APP),
  'branding set': command(
    'setBranding',
    "Set the color and the language of an app's pages",
    {
      ...ofApp,
      color: arg('color', '#RRGGBB|default', { hasDefault: true }),
      language: arg('language', 'LANGUAGE', { hasDefault: true, values: [...PAGE_LANGUAGES, 'default'] }),
    },
    `id ${BRANDING}`,
  ),
  'logo set': command(
    'setLogo',
    "Set the logo on an app's pages: a PNG or WebP of at most 32 KiB",
    { ...ofApp, file: arg('image', 'FILE', { kind: 'file' }) },
    `id ${BRANDING}`,
  ),
  'logo remove': command('removeLogo', "Remove the logo from an app's pages", ofApp, `id ${BRANDING}`),
  'key list': command('app', "List an app's keys, without their secrets", app, `keys { ${KEY} }`, {
    show: ({ keys }: { keys: unknown }) => keys,
  }),
  'key show': command('app', 'Show one key, without its secret', app, `keys { ${KEY} }`, {
    ...chosenBy('key', 'KEY_ID'),
    show: ({ keys }: { keys: readonly { id: string }[] }, { key }) => pick(keys, ({ id }) => id === key, 'key'),
  }),
  'key issue': command(
    'issueKey',
    'Issue a key; this shows it once',
    {
      app: arg('input.appId', 'APP_ID'),
      label: arg('input.label', 'TEXT'),
      expires: arg('input.expiresAt', 'ISO_8601'),
      ...once,
    },
    `key { ${KEY} } secret`,
  ),
  'key change': command(
    'changeKey',
    "Change a key's label; without --label the key has none",
    { key: arg('id', 'KEY_ID'), label: arg('label', 'TEXT') },
    KEY,
  ),
  'key revoke': command('revokeKey', 'Revoke a key at once', { key: arg('id', 'KEY_ID') }, KEY),
  'tenant list': command('tenants', "List an app's tenants, by key", ofApp, 'tenantKey connectionCount'),
  'tenant keys': command(
    'tenantKeys',
    "List the keys of an app's tenants that begin with a text",
    { ...ofApp, search: arg('search', 'TEXT') },
    '',
    { show: (keys: readonly string[]) => keys.map((tenantKey) => ({ tenantKey })) },
  ),
  'tenant show': command('tenants', 'Show one tenant of an app', ofApp, 'tenantKey connectionCount', {
    ...chosenBy('key', 'TENANT_KEY'),
    show: (tenants: readonly { tenantKey: string }[], { key }) =>
      pick(tenants, ({ tenantKey }) => tenantKey === key, 'tenant'),
  }),
  'tenant add': command(
    'addTenant',
    'Register a tenant of an app',
    { ...ofApp, key: arg('tenantKey', 'TENANT_KEY') },
    'tenantKey',
  ),
  'tenant remove': command(
    'removeTenant',
    'Remove a tenant, and keep or disconnect its connections',
    {
      ...ofApp,
      key: arg('tenantKey', 'TENANT_KEY'),
      connections: arg('connections', 'HANDLING'),
      ...dryRun,
    },
    `dryRun connectionCount bulkDisconnect { ${BULK} }`,
    { confirm: { of: ['key'], when: ({ connections }) => connections === 'DISCONNECT_ALL' } },
  ),
  'return-url list': command('app', 'List the URLs that browsers return to', app, 'returnUrls', {
    show: ({ returnUrls }: { returnUrls: readonly string[] }) => returnUrls.map((url) => ({ url })),
  }),
  'return-url add': command(
    'addReturnUrl',
    'Register a URL that browsers return to',
    { ...ofApp, url: arg('url', 'URL') },
    'id returnUrls',
  ),
  'return-url remove': command(
    'removeReturnUrl',
    'Remove a return URL',
    { ...ofApp, url: arg('url', 'URL') },
    'id returnUrls',
  ),
  'launch-origin list': command('app', 'List the origins whose pages may post a launch token', app, 'launchOrigins', {
    show: ({ launchOrigins }: { launchOrigins: readonly string[] }) => launchOrigins.map((origin) => ({ origin })),
  }),
  'launch-origin add': command(
    'addLaunchOrigin',
    'Register an origin whose pages may post a launch token',
    { ...ofApp, origin: arg('origin', 'ORIGIN') },
    'id launchOrigins',
  ),
  'launch-origin remove': command(
    'removeLaunchOrigin',
    'Remove a launch origin',
    { ...ofApp, origin: arg('origin', 'ORIGIN') },
    'id launchOrigins',
  ),
  'policy set': command(
    'setPolicy',
    'Set the capabilities an app may request at a provider; none forbids the provider',
    {
      ...ofApp,
      provider: arg('provider', 'PROVIDER'),
      capability: arg('capabilities', 'CAPABILITY'),
      'quota-percent': arg('quotaPercent', 'PERCENT|default'),
    },
    'id policies { provider capabilities quotaPercent }',
    { fixed: { capabilities: [] } },
  ),
  'policy refresh': command(
    'setRefreshPolicy',
    "Refresh an app's connections at a provider at an interval in minutes; without --minutes, stop",
    {
      ...ofApp,
      provider: arg('provider', 'PROVIDER'),
      minutes: arg('refreshMinutes', 'MINUTES'),
      days: arg('refreshDays', 'DAYS'),
      posts: arg('refreshPosts', 'POSTS'),
    },
    'id policies { provider refreshMinutes refreshDays refreshPosts }',
  ),
  'identity set': command(
    'setIdentity',
    'Let an app sign people in at an issuer; this replaces its earlier issuer and return URL',
    {
      ...ofApp,
      issuer: arg('issuerId', 'ISSUER_ID'),
      'return-url': arg('returnUrl', 'URL'),
    },
    'id identity { issuer { id issuer } returnUrl enabled }',
    { fixed: { enabled: true } },
  ),
  'identity end': command(
    'setIdentity',
    'End the sign-in of an app at an issuer',
    {
      ...ofApp,
      issuer: arg('issuerId', 'ISSUER_ID'),
      'return-url': arg('returnUrl', 'URL'),
    },
    'id identity { issuer { id issuer } returnUrl enabled }',
    { fixed: { enabled: false } },
  ),
};
