import type { OPERATIONS as DECLARED } from '../../../src/generated/admin-operations.ts';
import type { Facts } from '../facts.ts';
import { flowOf } from '../recorder.ts';
import { always, hasAttempt, hasConnection, hasJob, hasPost, type Operation } from './operation.ts';

type Declared = typeof DECLARED;
type Mutation = {
  [Name in keyof Declared]: Declared[Name]['kind'] extends 'mutation' ? Name : never;
}[keyof Declared];

type Act = readonly [args: (facts: Facts) => object, fits?: Operation['fits']];

const appOf = ({ app }: Facts) => ({ appId: app.app.appId });
const ofApp = ({ app }: Facts) => ({ id: app.app.appId });
const ofTenant = ({ app }: Facts) => ({ appId: app.app.appId, tenantKey: app.tenantKey });
const registrationOf = ({ app, provider }: Facts) => app.registrations[provider];
const ofRegistration = (facts: Facts) => ({ id: registrationOf(facts) });
const serving = (facts: Facts) => ({ registrationId: registrationOf(facts), ...appOf(facts) });
const identity = ({ app }: Facts, more: object) => ({
  appId: app.app.appId,
  issuerId: app.issuerId,
  returnUrl: app.identityReturnUrl,
  ...more,
});
const hasIdentity = (facts: Facts) => facts.hasIdentity === true;
const subject = ({ app, scope }: Facts) => ({ input: { appId: app.app.appId, ...scope } });
const ofEndpoint = ({ endpointId }: Facts) => ({ id: endpointId });
const tellsEvents = (facts: Facts) => hasConnection(facts) || hasAttempt(facts);

/** Each mutation of operators that changes the service's rights to accounts, or acts on them itself; after a comma, how. */
const ACTS: { readonly [Name in Mutation]?: Act } & { readonly [how: `${Mutation}, ${string}`]: Act } = {
  disableApp: [ofApp],
  enableApp: [ofApp],
  issueKey: [(facts) => ({ input: appOf(facts) })],
  revokeKey: [({ app }) => ({ id: app.keyId })],
  addTenant: [ofTenant],
  'removeTenant, keeps connections': [(facts) => ({ ...ofTenant(facts), connections: 'KEEP' })],
  'removeTenant, disconnects all': [(facts) => ({ ...ofTenant(facts), connections: 'DISCONNECT_ALL' }), hasConnection],
  removeReturnUrl: [(facts) => ({ ...appOf(facts), url: facts.app.returnUrl })],
  'setPolicy, without PROFILE': [
    (facts) => ({ ...appOf(facts), provider: facts.provider, capabilities: ['CONTENT_LOOKUP'] }),
  ],
  'setIdentity, off': [(facts) => identity(facts, { enabled: false }), hasIdentity],
  'setIdentity, another issuer': [(facts) => identity(facts, { issuerId: facts.secondIssuer }), hasIdentity],
  rotateRegistrationSecret: [(facts) => ({ ...ofRegistration(facts), clientSecret: facts.clientSecret })],
  pauseRegistration: [ofRegistration],
  resumeRegistration: [ofRegistration],
  'setRegistrationPermissions, all': [ofRegistration],
  testRegistration: [ofRegistration],
  retryRegistration: [ofRegistration, (facts) => facts.isRejected === true],
  clearSpentQuota: [ofRegistration, hasConnection],
  serveApp: [serving],
  'serveApp, second client': [(facts) => ({ ...serving(facts), registrationId: facts.secondRegistration })],
  stopServingApp: [serving],
  disableWebhookEndpoint: [ofEndpoint, tellsEvents],
  enableWebhookEndpoint: [ofEndpoint, tellsEvents],
  changeWebhookEndpoint: [(facts) => ({ ...ofEndpoint(facts), url: 'https://other.example/hooks' }), tellsEvents],
  removeWebhookEndpoint: [ofEndpoint, tellsEvents],
  redeliverWebhooks: [(facts) => ({ ...ofEndpoint(facts), since: '2026-01-01T00:00:00Z' }), tellsEvents],
  retryJob: [({ jobId }) => ({ id: jobId }), hasJob],
  retryJobs: [(facts) => ({ filter: appOf(facts) }), hasConnection],
  cancelAttempt: [({ attempts }) => ({ id: attempts[0]?.session.id }), hasAttempt],
  disconnectConnection: [({ connectionId }) => ({ id: connectionId }), hasConnection],
  'disconnectAll, of the tenant': [(facts) => ({ input: ofTenant(facts) }), hasConnection],
  'disconnectAll, of the registration': [
    (facts) => ({ input: { registrationId: registrationOf(facts) } }),
    hasConnection,
  ],
  eraseSubject: [subject],
  exportSubject: [subject],
  setRefreshPolicy: [(facts) => ({ ...appOf(facts), provider: facts.provider, refreshMinutes: 60 }), hasPost],
};

export const OPERATORS: readonly Operation[] = Object.entries(ACTS).map(([name, [args, fits = always]]): Operation => {
  const [mutation = ''] = name.split(',');
  const run: Operation['run'] = (world, facts) =>
    world.refusalIsAnswer(world.operate(mutation, args(facts), flowOf(facts.app.app, facts)));
  return { name: `operator: ${name}`, fits, isTwice: true, run };
});
