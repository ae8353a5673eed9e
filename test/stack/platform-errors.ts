import { expect, vi } from 'vitest';
import { PLATFORMS, type Platform } from '../../sandbox/src/model.ts';
import type { Answer } from '../kit/graphql.ts';
import { PERMISSIONS, type Person } from '../kit/person.ts';
import type { TestService } from '../kit/service.ts';
import type { Canaries } from './canaries.ts';
import { operator } from './operator.ts';

/** An error of OAuth (RFC 6749, section 5.2), with the fields that platforms add. */
const OAUTH = { error: 'x', error_description: 'x', error_uri: 'x', error_type: 'x', message: 'x', log_id: 'x' };
const GOOGLE = {
  code: 400,
  message: 'x',
  status: 'x',
  errors: [{ domain: 'x', reason: 'x', message: 'x', locationType: 'x', location: 'x' }],
  details: [{ '@type': 'x', reason: 'x', domain: 'x', metadata: { service: 'x' } }],
};
const TIKTOK = { code: 'x', message: 'x', log_id: 'x' };
/** Code 2 is a temporary fault of the platform. */
const GRAPH = { code: 2, message: 'x', type: 'x', error_user_title: 'x', error_user_msg: 'x', fbtrace_id: 'x' };

interface Errors {
  readonly token: object;
  readonly read: { readonly route: string; readonly body: object };
  /** If the platform can revoke. */
  readonly revoke?: object;
}

/** Each platform's errors in its own format. Every text in them is a placeholder for a canary. */
const ERRORS: Readonly<Record<Platform, Errors>> = {
  PROVIDER_A: { token: OAUTH, read: { route: 'playlistItems', body: { error: GOOGLE } }, revoke: OAUTH },
  PROVIDER_B: { token: OAUTH, read: { route: 'videoList', body: { error: TIKTOK } }, revoke: OAUTH },
  PROVIDER_C: {
    token: { error_type: 'x', code: 400, error_message: 'x' },
    read: { route: 'media', body: { error: GRAPH } },
  },
};

/** Makes the next call fail with this error, in every field and header of which is a canary. */
function failNext({ control }: TestService['sandbox'], canaries: Canaries, of: Platform, route: string, error: object) {
  const where = `an error of ${of} ${route}`;
  const headers = {
    'x-log-id': canaries.plant(where),
    'www-authenticate': `Bearer error="${canaries.plant(where)}", error_description="${canaries.plant(where)}"`,
  };
  const body = canaries.plantIn(error, where);
  control.addFault({ provider: of, route, what: { kind: 'answer', status: 400, headers, body } });
}

/**
 * Meets every error of every platform: at the exchange of a code, at a read, and at a revoke. Keeps the view that persons, apps and
 * operators have of them.
 */
export async function meetErrors(service: TestService, newPerson: () => Person, canaries: Canaries): Promise<void> {
  await Promise.all(PLATFORMS.map((platform) => meetErrorsOf(platform, service, newPerson(), canaries)));
  expect(service.sandbox.control.faults()).toEqual([]); // Each was met.
}

async function meetErrorsOf(of: Platform, service: TestService, person: Person, canaries: Canaries): Promise<void> {
  const { sandbox } = service;
  const { token, read, revoke } = ERRORS[of];
  const account = person.account(of, /right to left/);
  const connect = async () => {
    const session = await person.createSession(of);
    const { url, html } = await person.agree(await person.launch(session), account, PERMISSIONS[of]);
    canaries.keep('a page', `${url}\n${html}`);
    const result = await person.finished(session.id);
    canaries.keep(`the result of an attempt at ${of}`, JSON.stringify(result));
    return result;
  };

  failNext(sandbox, canaries, of, 'token', token);
  expect(await connect()).toMatchObject({ status: 'FAILED' });
  failNext(sandbox, canaries, of, read.route, read.body);
  const { connectionId } = await connect();
  const asOperator = await operator(service);
  const query = 'query ($filter: JobFilter) { jobs(filter: $filter) { items { lastFailure { code message } } } }';
  const failed = async () => {
    const { items } = (await asOperator(query, { filter: { connectionId } })).jobs;
    return items.some(({ lastFailure }: Answer) => lastFailure !== null) && items;
  };
  const jobs = await vi.waitUntil(failed, { interval: 100 });
  canaries.keep('jobs as an operator sees them', JSON.stringify(jobs));
  canaries.keep(`a connection of ${of}`, JSON.stringify(await person.connection(connectionId)));
  if (revoke !== undefined) failNext(sandbox, canaries, of, 'revoke', revoke);
  canaries.keep(`the receipts of ${of}`, JSON.stringify(await person.disconnect(connectionId)));
}
