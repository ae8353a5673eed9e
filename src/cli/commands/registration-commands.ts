import { arg, type Command, commandsOf } from '../shape.ts';
import { chosenBy, dryRun, ofApp, once, pick } from './parts.ts';

const REGISTRATION = 'id provider label clientId createdAt pausedAt rejectedAt secretExpiresAt connectionCount';
const ISSUER = 'id issuer clientId tokenAuthMethod redirectUri secretExpiresAt';
const ANSWER = 'id provider request status code text madeOfIt times firstSeenAt lastSeenAt';
const PERMISSIONS = 'permissions { name isAsked isNeeded } capabilities';
const CHANGE = 'registration { id provider label pausedAt } connectionCount openJobCount dryRun';
const registration = { registration: arg('id', 'REGISTRATION_ID') };

const command = commandsOf('Registrations and issuers');

/** Our clients at providers and at OpenID issuers. */
export const REGISTRATION_COMMANDS: Readonly<Record<string, Command>> = {
  'registration list': command('registrations', 'List our clients at providers', {}, REGISTRATION),
  'registration show': command(
    'registration',
    'Show one client, its apps and its quota',
    registration,
    `${REGISTRATION} disconnectAfterDays ${PERMISSIONS} redirectUri callbackUrls { enteredAs url } callbackSecrets { id createdAt } warnings
      apps { appId name unitsUsed unitsAllowed } usage { day timeZone resetsAt unitsUsed unitsAllowed unitsLeft spentUntil }`,
  ),
  'registration create': command(
    'createRegistration',
    'Store our OAuth client at a provider',
    {
      provider: arg('input.provider', 'PROVIDER'),
      label: arg('input.label', 'LABEL'),
      'client-id': arg('input.clientId', 'ID'),
      'secret-expires': arg('input.secretExpiresAt', 'ISO_8601'),
      ...once,
    },
    REGISTRATION,
    { secret: 'input.clientSecret' },
  ),
  'registration delete': command(
    'deleteRegistration',
    'Delete a registration that was stored by mistake',
    registration,
    '',
    { confirm: { of: ['registration'] }, show: (deleted: boolean) => ({ deleted }) },
  ),
  'registration rotate-secret': command(
    'rotateRegistrationSecret',
    "Replace a registration's client secret",
    { ...registration, 'secret-expires': arg('secretExpiresAt', 'ISO_8601') },
    REGISTRATION,
    { secret: 'clientSecret' },
  ),
  'registration pause': command(
    'pauseRegistration',
    'Stop reads and new attempts through a registration',
    { ...registration, ...dryRun },
    CHANGE,
  ),
  'registration resume': command('resumeRegistration', 'Resume a paused registration', registration, REGISTRATION),
  'registration test': command(
    'testRegistration',
    'Ask the provider whether it accepts our client, before the first person does',
    registration,
    REGISTRATION,
  ),
  'registration retry': command(
    'retryRegistration',
    'Retry a registration that its provider refused, after you have fixed the cause',
    registration,
    REGISTRATION,
  ),
  'registration clear-quota': command(
    'clearSpentQuota',
    'Use a registration again before its quota resets',
    registration,
    REGISTRATION,
  ),
  'registration quota': command(
    'setDailyQuota',
    'Set the daily quota that the provider has granted',
    { ...registration, units: arg('units', 'UNITS|default', { isRequired: true }) },
    REGISTRATION,
  ),
  'registration disconnect-after': command(
    'setDisconnectAfter',
    'Set after how many days a connection is disconnected whose grant was not proven alive; 0 for never',
    { ...registration, days: arg('days', 'DAYS|default', { isRequired: true }) },
    `${REGISTRATION} disconnectAfterDays`,
  ),
  'registration permissions': command(
    'setRegistrationPermissions',
    'Set the permissions that the client asks people for; without any, all that the service uses',
    { ...registration, permission: arg('permissions', 'NAME') },
    `${REGISTRATION} ${PERMISSIONS}`,
  ),
  'answers unknown': command(
    'unknownAnswers',
    'List the answers of platforms that no adapter knows, those first seen last first',
    { provider: arg('provider', 'PROVIDER') },
    ANSWER,
  ),
  'answers dismiss': command(
    'dismissUnknownAnswer',
    'Remove an answer from that list',
    { answer: arg('id', 'ANSWER_ID') },
    ANSWER,
  ),
  'registration refresh-share': command(
    'setRefreshShare',
    'Set the largest part of quota and rate limit that automatic refreshes may use',
    { registration: arg('registrationId', 'REGISTRATION_ID'), percent: arg('percent', 'PERCENT') },
    `${REGISTRATION} refreshPercent`,
  ),
  'registration serve': command(
    'serveApp',
    'Assign a registration to an app',
    { registration: arg('registrationId', 'REGISTRATION_ID'), ...ofApp },
    `${REGISTRATION} apps { appId name } warnings`,
  ),
  'registration stop-serving': command(
    'stopServingApp',
    "End a registration's service of an app",
    { registration: arg('registrationId', 'REGISTRATION_ID'), ...ofApp, ...dryRun },
    CHANGE,
  ),
  'callback-secret add': command(
    'addCallbackSecret',
    'Store a secret with which the platform signs its callbacks',
    { registration: arg('registrationId', 'REGISTRATION_ID'), 'idempotency-key': arg('idempotencyKey', 'KEY') },
    'id callbackSecrets { id createdAt }',
    { secret: 'secret' },
  ),
  'callback-secret remove': command(
    'removeCallbackSecret',
    'Remove a secret of the platform’s callbacks; it stops working at once',
    { 'callback-secret': arg('id', 'CALLBACK_SECRET_ID') },
    'id callbackSecrets { id createdAt }',
  ),
  'issuer list': command('identityIssuers', 'List OpenID issuers', {}, ISSUER),
  'issuer show': command('identityIssuers', 'Show one OpenID issuer', {}, ISSUER, {
    ...chosenBy('issuer', 'ISSUER_ID'),
    show: (issuers: readonly { id: string }[], { issuer }) => pick(issuers, ({ id }) => id === issuer, 'issuer'),
  }),
  'issuer test': command(
    'identityIssuerTest',
    'Ask an OpenID issuer for its metadata and keys, as a sign-in does',
    { issuer: arg('id', 'ISSUER_ID') },
    'problem',
  ),
  'issuer delete': command(
    'deleteIdentityIssuer',
    'Delete an OpenID issuer that no app uses',
    { issuer: arg('id', 'ISSUER_ID') },
    '',
    { confirm: { of: ['issuer'] }, show: (deleted: boolean) => ({ deleted }) },
  ),
  'issuer create': command(
    'createIdentityIssuer',
    'Store our client at an OpenID issuer',
    {
      issuer: arg('input.issuer', 'URL'),
      'client-id': arg('input.clientId', 'ID'),
      auth: arg('input.tokenAuthMethod', 'METHOD'),
      'secret-expires': arg('input.secretExpiresAt', 'ISO_8601'),
      ...once,
    },
    ISSUER,
    { secret: 'input.clientSecret' },
  ),
  'issuer rotate-secret': command(
    'rotateIdentityIssuerSecret',
    'Replace our client secret at an issuer',
    { issuer: arg('id', 'ISSUER_ID'), 'secret-expires': arg('secretExpiresAt', 'ISO_8601') },
    ISSUER,
    { secret: 'clientSecret' },
  ),
};
