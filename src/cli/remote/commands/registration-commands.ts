import { PROVIDER_NAMES } from '../../../basics/codes.ts';
import { may, mayList, need, needNumber, type RemoteCommand } from '../shape.ts';
import { dryRun, ID, mutationsOf, ofApp, once, PAGE, paged, queriesOf } from './parts.ts';

const REGISTRATION = 'id provider label clientId createdAt pausedAt rejectedAt secretExpiresAt connectionCount';
const ISSUER = 'id issuer clientId tokenAuthMethod redirectUri secretExpiresAt';
const ANSWER = 'id provider request status code text madeOfIt times firstSeenAt lastSeenAt';
const PERMISSIONS = 'permissions { name isAsked isNeeded } capabilities';
const CHANGE = 'registration { id provider label pausedAt } connectionCount openJobCount dryRun';
const registration = { registration: need('id', 'REGISTRATION_ID') };
const ID_DRY = { id: 'ID!', dryRun: 'Boolean' };

const query = queriesOf('Registrations and issuers');
const mutate = mutationsOf('Registrations and issuers');

/** Our clients at providers and at OpenID issuers. */
export const REGISTRATION_COMMANDS: Readonly<Record<string, RemoteCommand>> = {
  'registration list': query('registrations', 'List our clients at providers', {}, {}, REGISTRATION),
  'registration show': query(
    'registration',
    'Show one client, its apps and its quota',
    registration,
    ID,
    `${REGISTRATION} ${PERMISSIONS} redirectUri callbackUrls { enteredAs url } callbackSecrets { id createdAt }
      apps { appId name unitsUsed unitsAllowed } usage { day unitsUsed unitsAllowed unitsLeft spentUntil }`,
  ),
  'registration create': mutate(
    'createRegistration',
    'Store our OAuth client at a provider',
    {
      provider: need('input.provider', 'PROVIDER', PROVIDER_NAMES),
      label: need('input.label', 'LABEL'),
      'client-id': need('input.clientId', 'ID'),
      'secret-expires': may('input.secretExpiresAt', 'ISO_8601'),
      ...once,
    },
    { input: 'CreateRegistrationInput!' },
    REGISTRATION,
    { secret: 'input.clientSecret' },
  ),
  'registration rotate-secret': mutate(
    'rotateRegistrationSecret',
    "Replace a registration's client secret",
    { ...registration, 'secret-expires': may('secretExpiresAt', 'ISO_8601') },
    { id: 'ID!', clientSecret: 'String!', secretExpiresAt: 'DateTime' },
    REGISTRATION,
    { secret: 'clientSecret' },
  ),
  'registration pause': mutate(
    'pauseRegistration',
    'Stop reads and new attempts through a registration',
    { ...registration, ...dryRun },
    ID_DRY,
    CHANGE,
  ),
  'registration resume': mutate('resumeRegistration', 'Resume a paused registration', registration, ID, REGISTRATION),
  'registration retry': mutate(
    'retryRegistration',
    'Retry a registration that its provider refused, after you have fixed the cause',
    registration,
    ID,
    REGISTRATION,
  ),
  'registration clear-quota': mutate(
    'clearSpentQuota',
    'Use a registration again before its quota resets',
    registration,
    ID,
    REGISTRATION,
  ),
  'registration quota': mutate(
    'setDailyQuota',
    'Set the daily quota that the provider has granted',
    { ...registration, units: needNumber('units', 'UNITS|default') },
    { id: 'ID!', units: 'Int' },
    REGISTRATION,
  ),
  'registration permissions': mutate(
    'setRegistrationPermissions',
    'Set the permissions that the client asks people for; without any, all that the service uses',
    { ...registration, permission: mayList('permissions', 'NAME') },
    { id: 'ID!', permissions: '[String!]' },
    `${REGISTRATION} ${PERMISSIONS}`,
  ),
  'answers unknown': query(
    'unknownAnswers',
    'List the answers of platforms that no adapter knows, those first seen last first',
    { provider: may('provider', 'PROVIDER', PROVIDER_NAMES) },
    { provider: 'SocialProvider', ...PAGE },
    paged(ANSWER),
    { isPaged: true },
  ),
  'answers dismiss': mutate(
    'dismissUnknownAnswer',
    'Remove an answer from that list',
    { answer: need('id', 'ANSWER_ID') },
    ID,
    ANSWER,
  ),
  'registration refresh-share': mutate(
    'setRefreshShare',
    'Set the largest part of quota and rate limit that automatic refreshes may use',
    { registration: need('registrationId', 'REGISTRATION_ID'), percent: needNumber('percent', 'PERCENT') },
    { registrationId: 'ID!', percent: 'Int!' },
    `${REGISTRATION} refreshPercent`,
  ),
  'registration serve': mutate(
    'serveApp',
    'Assign a registration to an app',
    { registration: need('registrationId', 'REGISTRATION_ID'), ...ofApp },
    { registrationId: 'ID!', appId: 'ID!' },
    `${REGISTRATION} apps { appId name }`,
  ),
  'registration stop-serving': mutate(
    'stopServingApp',
    "End a registration's service of an app",
    { registration: need('registrationId', 'REGISTRATION_ID'), ...ofApp, ...dryRun },
    { registrationId: 'ID!', appId: 'ID!', dryRun: 'Boolean' },
    CHANGE,
  ),
  'callback-secret add': mutate(
    'addCallbackSecret',
    'Store a secret with which the platform signs its callbacks',
    { registration: need('registrationId', 'REGISTRATION_ID'), 'idempotency-key': may('idempotencyKey', 'KEY') },
    { registrationId: 'ID!', secret: 'String!', idempotencyKey: 'String' },
    'id callbackSecrets { id createdAt }',
    { secret: 'secret' },
  ),
  'callback-secret remove': mutate(
    'removeCallbackSecret',
    'Remove a secret of the platform’s callbacks; it stops working at once',
    { 'callback-secret': need('id', 'CALLBACK_SECRET_ID') },
    ID,
    'id callbackSecrets { id createdAt }',
  ),
  'issuer list': query('identityIssuers', 'List OpenID issuers', {}, {}, ISSUER),
  'issuer create': mutate(
    'createIdentityIssuer',
    'Store our client at an OpenID issuer',
    {
      issuer: need('input.issuer', 'URL'),
      'client-id': need('input.clientId', 'ID'),
      auth: may('input.tokenAuthMethod', 'METHOD', ['CLIENT_SECRET_BASIC', 'CLIENT_SECRET_POST']),
      'secret-expires': may('input.secretExpiresAt', 'ISO_8601'),
      ...once,
    },
    { input: 'CreateIdentityIssuerInput!' },
    ISSUER,
    { secret: 'input.clientSecret' },
  ),
  'issuer rotate-secret': mutate(
    'rotateIdentityIssuerSecret',
    'Replace our client secret at an issuer',
    { issuer: need('id', 'ISSUER_ID'), 'secret-expires': may('secretExpiresAt', 'ISO_8601') },
    { id: 'ID!', clientSecret: 'String!', secretExpiresAt: 'DateTime' },
    ISSUER,
    { secret: 'clientSecret' },
  ),
};
