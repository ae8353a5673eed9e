import { describe, expect } from 'vitest';
import { OPERATIONS } from '../../clients/typescript/src/generated/schema.ts';
import { createClient, ServiceError } from '../../clients/typescript/src/index.ts';
import { answers, test } from './scripted-service.ts';

const KEY = 'key-id.secret';
const scope = { tenantKey: 'acme', externalSubjectId: 'user-1' };
const STATUS = { data: { status: { ok: true, message: 'Up.' } } };
const JOB = { data: { requestRefresh: { id: 'job-1', status: 'QUEUED' } } };
const input = {
  scope,
  provider: 'PROVIDER_A',
  capabilities: ['PROFILE'],
  returnUrl: 'https://app.example.com/connected',
} as const;

/** The error of a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => expect.fail('The call succeeded.'),
    (error: unknown) => error,
  );
}

describe('a call', () => {
  test('sends the key, one document and the arguments as variables, and returns the field', async ({ service }) => {
    service.script(answers.json({ data: { connection: { id: 'connection-1' } } }));
    const client = createClient({ url: service.url, key: KEY });
    expect(await client.connection({ scope, id: 'connection-1' })).toEqual({ id: 'connection-1' });
    expect(service.requests).toEqual([
      {
        headers: expect.objectContaining({ authorization: 'Bearer key-id.secret', 'content-type': 'application/json' }),
        body: { query: OPERATIONS.connection.document, variables: { scope, id: 'connection-1' } },
      },
    ]);
  });

  test('throws the code, the correlation id and the seconds to wait', async ({ service }) => {
    service.script(
      answers.error('RATE_LIMITED', {
        correlationId: 'c-1',
        retryAfterSeconds: 600,
        connectionId: 'k-1',
        jobId: 'j-1',
      }),
    );
    const error = await errorOf(createClient({ url: service.url, key: KEY }).createConnectSession({ input }));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Refused with RATE_LIMITED.',
      correlationId: 'c-1',
      connectionId: 'k-1',
      jobId: 'j-1',
      retryAfterSeconds: 600,
    });
    expect(service.requests).toHaveLength(1);
  });

  test.for([
    ['a code that it does not know', answers.error('NEW_CODE')],
    ['the refusal of a large request', answers.text('The body exceeds 65536 bytes.', 413)],
  ] as const)('takes %s as UPSTREAM_UNAVAILABLE', async ([, answer], { service }) => {
    service.script(answer);
    const client = createClient({ url: service.url, key: KEY, retries: 0 });
    expect(await errorOf(client.status())).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });

  test('never sends the key to where a redirect leads', async ({ service }) => {
    service.script(answers.redirect(service.url), answers.json(STATUS));
    const client = createClient({ url: service.url, key: KEY, retries: 0 });
    expect(await errorOf(client.status())).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(service.requests).toHaveLength(1);
  });

  test('keeps the key out of its errors', async ({ service }) => {
    service.script(answers.cut);
    const error = await errorOf(createClient({ url: service.url, key: KEY, retries: 0 }).status());
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret');
  });
});

describe('retries', () => {
  test.for([
    ['a connection that breaks', answers.cut],
    ['UPSTREAM_UNAVAILABLE', answers.error('UPSTREAM_UNAVAILABLE')],
    ['a short RATE_LIMITED', answers.error('RATE_LIMITED', { retryAfterSeconds: 1 })],
  ] as const)('repeat a query after %s', async ([, answer], { service }) => {
    service.script(answer, answers.json(STATUS));
    expect(await createClient({ url: service.url, key: KEY }).status()).toEqual({ ok: true, message: 'Up.' });
    expect(service.requests).toHaveLength(2);
  });

  test('end after two by default, with the last error', async ({ service }) => {
    service.script(
      ...Array.from({ length: 5 }, (_, index) =>
        answers.error('UPSTREAM_UNAVAILABLE', { correlationId: `c-${index}` }),
      ),
    );
    const error = await errorOf(createClient({ url: service.url, key: KEY }).status());
    expect(error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', correlationId: 'c-2' });
    expect(service.requests).toHaveLength(3);
  });

  test('repeat a refresh, because the service answers with the job in flight', async ({ service }) => {
    service.script(answers.cut, answers.json(JOB));
    const client = createClient({ url: service.url, key: KEY });
    expect(await client.requestRefresh({ scope, connectionId: 'connection-1' })).toMatchObject({ id: 'job-1' });
  });

  test('never repeat a call that creates an attempt or spends a proof', async ({ service }) => {
    const client = createClient({ url: service.url, key: KEY });
    for (const call of [
      () => client.createConnectSession({ input }),
      () => client.createIdpIdentitySession({ input: { tenantKey: 'acme', returnUrl: 'https://app.example.com/in' } }),
      () => client.redeemIdpIdentityResult({ id: 'sign-in-1', tenantKey: 'acme', resultProof: 'proof' }),
    ]) {
      service.requests.length = 0;
      service.script(answers.cut);
      expect(await errorOf(call())).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
      expect(service.requests).toHaveLength(1);
    }
  });

  test.for(['UNAUTHENTICATED', 'RECONNECT_REQUIRED'])('do not follow %s', async (code, { service }) => {
    service.script(answers.error(code));
    expect(await errorOf(createClient({ url: service.url, key: KEY }).status())).toMatchObject({ code });
    expect(service.requests).toHaveLength(1);
  });
});

describe('the end of a call', () => {
  test('comes when the time-out of each try has ended', async ({ service }) => {
    service.script(answers.never, answers.json(STATUS));
    const client = createClient({ url: service.url, key: KEY, timeoutMs: 200 });
    expect(await client.status()).toMatchObject({ ok: true });
  });

  test('comes with the reason of the signal that aborts it, and no retry follows', async ({ service }) => {
    service.script(answers.never, answers.json(STATUS));
    const reason = new Error('The person has left.');
    const controller = new AbortController();
    const call = errorOf(createClient({ url: service.url, key: KEY }).status({ signal: controller.signal }));
    await expect.poll(() => service.requests.length).toBe(1);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(service.requests).toHaveLength(1);
  });
});
