import type { OPERATIONS as DECLARED } from '../../../src/generated/admin-operations.ts';
import type { Facts } from '../facts.ts';
import { flowOf } from '../recorder.ts';
import { always, hasAttempt, hasConnection, type Operation } from './operation.ts';

type Declared = typeof DECLARED;
type Mutation = {
  [Name in keyof Declared]: Declared[Name]['kind'] extends 'mutation' ? Name : never;
}[keyof Declared];

/** A value of an enum. */
class Word {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const word = (text: string) => new Word(text);

/** As GraphQL writes it. */
function literal(value: unknown): string {
  if (value instanceof Word) return value.text;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `{${fields(value)}}`;
  return JSON.stringify(value);
}
const fields = (value: object): string =>
  Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${name}: ${literal(one)}`)
    .join(', ');

interface Act {
  readonly args: (facts: Facts) => object;
  /** Anything if not set. */
  readonly fits?: Operation['fits'];
  /** The effect of this variant of it. */
  readonly how?: string;
}

const appOf = ({ app }: Facts) => ({ appId: app.app.appId });
const ofApp = ({ app }: Facts) => ({ id: app.app.appId });
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

/** Each mutation of operators that changes the service's rights to accounts, or acts on them itself. */
const ACTS: Readonly<Partial<Record<Mutation, readonly Act[]>>> = {
  disableApp: [{ args: ofApp }],
  enableApp: [{ args: ofApp }],
  issueKey: [{ args: (facts) => ({ input: appOf(facts) }) }],
  revokeKey: [{ args: ({ app }) => ({ id: app.keyId }) }],
  addTenant: [{ args: (facts) => ({ ...appOf(facts), tenantKey: facts.app.tenantKey }) }],
  removeTenant: [
    {
      how: 'keeps connections',
      args: (facts) => ({ ...appOf(facts), tenantKey: facts.app.tenantKey, connections: word('KEEP') }),
    },
    {
      how: 'disconnects all',
      args: (facts) => ({ ...appOf(facts), tenantKey: facts.app.tenantKey, connections: word('DISCONNECT_ALL') }),
      fits: hasConnection,
    },
  ],
  removeReturnUrl: [{ args: (facts) => ({ ...appOf(facts), url: facts.app.returnUrl }) }],
  setPolicy: [
    {
      how: 'without PROFILE',
      args: (facts) => ({ ...appOf(facts), provider: word(facts.provider), capabilities: [word('CONTENT_LOOKUP')] }),
    },
  ],
  setIdentity: [
    { how: 'off', args: (facts) => identity(facts, { enabled: false }), fits: hasIdentity },
    { how: 'another issuer', args: (facts) => identity(facts, { issuerId: facts.secondIssuer }), fits: hasIdentity },
  ],
  rotateRegistrationSecret: [{ args: (facts) => ({ ...ofRegistration(facts), clientSecret: facts.clientSecret }) }],
  pauseRegistration: [{ args: ofRegistration }],
  resumeRegistration: [{ args: ofRegistration }],
  setRegistrationPermissions: [{ how: 'all', args: ofRegistration }],
  testRegistration: [{ args: ofRegistration }],
  retryRegistration: [{ args: ofRegistration, fits: (facts) => facts.isRejected === true }],
  clearSpentQuota: [{ args: ofRegistration, fits: hasConnection }],
  serveApp: [
    { args: serving },
    { how: 'second client', args: (facts) => ({ ...serving(facts), registrationId: facts.secondRegistration }) },
  ],
  stopServingApp: [{ args: serving }],
  disableWebhookEndpoint: [{ args: ofEndpoint, fits: tellsEvents }],
  enableWebhookEndpoint: [{ args: ofEndpoint, fits: tellsEvents }],
  changeWebhookEndpoint: [
    { args: (facts) => ({ ...ofEndpoint(facts), url: 'https://other.example/hooks' }), fits: tellsEvents },
  ],
  removeWebhookEndpoint: [{ args: ofEndpoint, fits: tellsEvents }],
  redeliverWebhooks: [
    { args: (facts) => ({ ...ofEndpoint(facts), since: '2026-01-01T00:00:00Z' }), fits: tellsEvents },
  ],
  retryJob: [{ args: ({ jobId }) => ({ id: jobId }), fits: ({ jobId }) => jobId !== undefined }],
  retryJobs: [{ args: (facts) => ({ filter: appOf(facts) }), fits: hasConnection }],
  cancelAttempt: [{ args: ({ attempts }) => ({ id: attempts[0]?.session.id }), fits: hasAttempt }],
  disconnectConnection: [{ args: ({ connectionId }) => ({ id: connectionId }), fits: hasConnection }],
  disconnectAll: [
    {
      how: 'of the tenant',
      args: (facts) => ({ input: { ...appOf(facts), tenantKey: facts.app.tenantKey } }),
      fits: hasConnection,
    },
    {
      how: 'of the registration',
      args: (facts) => ({ input: { registrationId: registrationOf(facts) } }),
      fits: hasConnection,
    },
  ],
  eraseSubject: [{ args: subject }],
  exportSubject: [{ args: subject }],
  setRefreshPolicy: [
    {
      args: (facts) => ({ ...appOf(facts), provider: word(facts.provider), refreshMinutes: 60 }),
      fits: ({ post }) => post !== undefined,
    },
  ],
};

export const OPERATORS: readonly Operation[] = Object.entries(ACTS).flatMap(([mutation, acts]) =>
  acts.map(
    ({ args, fits = always, how }): Operation => ({
      name: `operator: ${mutation}${how === undefined ? '' : `, ${how}`}`,
      fits,
      isTwice: true,
      run: (world, facts) =>
        world.refusalIsAnswer(
          world.operate(
            `mutation { ${mutation}(${fields(args(facts))}) { __typename } }`,
            {},
            flowOf(facts.app.app, facts),
          ),
        ),
    }),
  ),
);
