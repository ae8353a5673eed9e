import { CAPABILITIES, PAGE_LANGUAGES, PROVIDER_NAMES } from '../../../basics/codes.ts';
import { may, mayDefault, mayList, mayNumber, need, needFile, type RemoteCommand } from '../shape.ts';
import { BULK, dryRun, ID, mutationsOf, ofApp, once, PAGE, paged, queriesOf } from './parts.ts';

const BRANDING = 'branding { color language logo { url mediaType width height } }';
const KEY = 'id label createdAt expiresAt revokedAt lastUsedAt active';
const APP = 'id name enabled requestsPerSecond createdAt tenantCount missing';
const WHOLE_APP = `${APP} returnUrls launchOrigins policies { provider capabilities quotaPercent } keys { ${KEY} }
  registrations { id provider label } identity { issuer { id issuer } returnUrl enabled } ${BRANDING}`;
const app = { app: need('id', 'APP_ID') };

const query = queriesOf('Apps');
const mutate = mutationsOf('Apps');

/** Apps, and their keys, tenants, URLs, policies and sign-ins. */
export const APP_COMMANDS: Readonly<Record<string, RemoteCommand>> = {
  'app list': query(
    'apps',
    'List apps, newest first',
    { search: may('filter.search', 'TEXT') },
    { filter: 'AppFilter', ...PAGE },
    paged(APP),
    { isPaged: true },
  ),
  'app show': query('app', 'Show one app and its settings', app, ID, WHOLE_APP),
  'app create': mutate(
    'createApp',
    'Register a customer application',
    { name: need('input.name', 'NAME'), rate: mayNumber('input.requestsPerSecond', 'REQUESTS'), ...once },
    { input: 'CreateAppInput!' },
    APP,
  ),
  'app change': mutate(
    'changeApp',
    "Change an app's name or its limit of requests per second",
    { ...app, name: may('name', 'NAME'), rate: mayNumber('requestsPerSecond', 'REQUESTS') },
    { id: 'ID!', name: 'String', requestsPerSecond: 'Int' },
    APP,
  ),
  'app disable': mutate('disableApp', "Refuse an app's requests from now on", app, ID, APP),
  'app enable': mutate('enableApp', 'Enable a disabled app', app, ID, APP),
  'branding set': mutate(
    'setBranding',
    "Set the color and the language of an app's pages",
    {
      ...ofApp,
      color: mayDefault('color', '#RRGGBB|default'),
      language: mayDefault('language', 'LANGUAGE', [...PAGE_LANGUAGES, 'default']),
    },
    { appId: 'ID!', color: 'String', language: 'String' },
    `id ${BRANDING}`,
  ),
  'logo set': mutate(
    'setLogo',
    "Set the logo on an app's pages: a PNG or WebP of at most 32 KiB",
    { ...ofApp, file: needFile('image', 'FILE') },
    { appId: 'ID!', image: 'String!' },
    `id ${BRANDING}`,
  ),
  'logo remove': mutate('removeLogo', "Remove the logo from an app's pages", ofApp, { appId: 'ID!' }, `id ${BRANDING}`),
  'key list': {
    ...query('app', "List an app's keys, without their secrets", app, ID, `keys { ${KEY} }`),
    show: ({ keys }: { keys: unknown }) => keys,
  },
  'key issue': mutate(
    'issueKey',
    'Issue a key; this shows it once',
    {
      app: need('input.appId', 'APP_ID'),
      label: may('input.label', 'TEXT'),
      expires: may('input.expiresAt', 'ISO_8601'),
      ...once,
    },
    { input: 'IssueKeyInput!' },
    `key { ${KEY} } secret`,
  ),
  'key change': mutate(
    'changeKey',
    "Change a key's label; without --label the key has none",
    { key: need('id', 'KEY_ID'), label: may('label', 'TEXT') },
    { ...ID, label: 'String' },
    KEY,
  ),
  'key revoke': mutate('revokeKey', 'Revoke a key at once', { key: need('id', 'KEY_ID') }, ID, KEY),
  'tenant list': query(
    'tenants',
    "List an app's tenants, by key",
    ofApp,
    { appId: 'ID!', ...PAGE },
    paged('tenantKey connectionCount'),
    { isPaged: true },
  ),
  'tenant add': mutate(
    'addTenant',
    'Register a tenant of an app',
    { ...ofApp, key: need('tenantKey', 'TENANT_KEY') },
    { appId: 'ID!', tenantKey: 'String!' },
    'tenantKey',
  ),
  'tenant remove': mutate(
    'removeTenant',
    'Remove a tenant, and keep or disconnect its connections',
    {
      ...ofApp,
      key: need('tenantKey', 'TENANT_KEY'),
      connections: need('connections', 'HANDLING', ['KEEP', 'DISCONNECT_ALL']),
      ...dryRun,
    },
    { appId: 'ID!', tenantKey: 'String!', connections: 'TenantConnections!', dryRun: 'Boolean' },
    `dryRun connectionCount bulkDisconnect { ${BULK} }`,
    { confirm: { of: ['key'], when: ({ connections }) => connections === 'DISCONNECT_ALL' } },
  ),
  'return-url add': mutate(
    'addReturnUrl',
    'Register a URL that browsers return to',
    { ...ofApp, url: need('url', 'URL') },
    { appId: 'ID!', url: 'String!' },
    'id returnUrls',
  ),
  'return-url remove': mutate(
    'removeReturnUrl',
    'Remove a return URL',
    { ...ofApp, url: need('url', 'URL') },
    { appId: 'ID!', url: 'String!' },
    'id returnUrls',
  ),
  'launch-origin add': mutate(
    'addLaunchOrigin',
    'Register an origin whose pages may post a launch token',
    { ...ofApp, origin: need('origin', 'ORIGIN') },
    { appId: 'ID!', origin: 'String!' },
    'id launchOrigins',
  ),
  'launch-origin remove': mutate(
    'removeLaunchOrigin',
    'Remove a launch origin',
    { ...ofApp, origin: need('origin', 'ORIGIN') },
    { appId: 'ID!', origin: 'String!' },
    'id launchOrigins',
  ),
  'policy set': mutate(
    'setPolicy',
    'Set the capabilities an app may request at a provider; none forbids the provider',
    {
      ...ofApp,
      provider: need('provider', 'PROVIDER', PROVIDER_NAMES),
      capability: mayList('capabilities', 'CAPABILITY', CAPABILITIES),
      'quota-percent': mayNumber('quotaPercent', 'PERCENT|default'),
    },
    { appId: 'ID!', provider: 'SocialProvider!', capabilities: '[Capability!]!', quotaPercent: 'Int' },
    'id policies { provider capabilities quotaPercent }',
    { fixed: { capabilities: [] } },
  ),
  'policy refresh': mutate(
    'setRefreshPolicy',
    "Refresh an app's connections at a provider at an interval in minutes; without --minutes, stop",
    {
      ...ofApp,
      provider: need('provider', 'PROVIDER', PROVIDER_NAMES),
      minutes: mayNumber('refreshMinutes', 'MINUTES'),
      days: mayNumber('refreshDays', 'DAYS'),
      posts: mayNumber('refreshPosts', 'POSTS'),
    },
    { appId: 'ID!', provider: 'SocialProvider!', refreshMinutes: 'Int', refreshDays: 'Int', refreshPosts: 'Int' },
    'id policies { provider refreshMinutes refreshDays refreshPosts }',
  ),
  'identity set': mutate(
    'setIdentity',
    'Let an app sign people in at an issuer',
    {
      ...ofApp,
      issuer: need('issuerId', 'ISSUER_ID'),
      'return-url': need('returnUrl', 'URL'),
    },
    { appId: 'ID!', issuerId: 'ID!', returnUrl: 'String!', enabled: 'Boolean' },
    'id identity { issuer { id issuer } returnUrl enabled }',
    { fixed: { enabled: true } },
  ),
  'identity end': mutate(
    'setIdentity',
    'End the sign-in of an app at an issuer',
    {
      ...ofApp,
      issuer: need('issuerId', 'ISSUER_ID'),
      'return-url': need('returnUrl', 'URL'),
    },
    { appId: 'ID!', issuerId: 'ID!', returnUrl: 'String!', enabled: 'Boolean' },
    'id identity { issuer { id issuer } returnUrl enabled }',
    { fixed: { enabled: false } },
  ),
};
