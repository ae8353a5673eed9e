import { createHmac } from 'node:crypto';
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import type { z } from 'zod';
import {
  type ContentChangedEvent,
  type JobFinishedEvent,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '../../clients/typescript/src/index.ts';
import type { WebhookEventBody } from '../../src/webhooks/event-schema.ts';

const NOW_MS = Date.parse('2026-06-01T12:00:00.000Z');
const SECRET = `whsec_${Buffer.from('a secret of 24 bytes....').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another one of 24 bytes.').toString('base64')}`;
const BODY = '{"type":"job.finished","data":{"jobId":"job-1"}}';

/** Standard Webhooks, "Signature scheme": HMAC-SHA-256 over `id.timestamp.body`, as base64 behind `v1,`. */
function sign({ id = 'evt_1', timestamp = NOW_MS / 1_000, body = BODY, secret = SECRET } = {}) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return {
    headers: { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
    body,
  };
}
const verify = (request: Parameters<typeof verifyWebhook>[0], secrets: string | string[] = SECRET) =>
  verifyWebhook(request, secrets, { nowMs: NOW_MS });

/** Counts the HMACs that are computed, by either function of WebCrypto. */
function countCryptography(): () => number {
  const spies = [vi.spyOn(crypto.subtle, 'sign'), vi.spyOn(crypto.subtle, 'verify')];
  onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
  return () => spies.reduce((count, { mock }) => count + mock.calls.length, 0);
}

describe('verifyWebhook', () => {
  test('returns the event of a signed request', async () => {
    expect(await verify(sign())).toEqual({ type: 'job.finished', data: { jobId: 'job-1' } });
  });

  test('takes a Headers object, bytes, and one fitting signature among others', async () => {
    const { headers, body } = sign();
    const several = { ...headers, 'webhook-signature': `v1a,xx v1,AAAA ${headers['webhook-signature']} v1,*` };
    const request = { headers: new Headers(several), body: new TextEncoder().encode(body) };
    expect(await verify(request)).toMatchObject({ type: 'job.finished' });
  });

  test('takes either secret while both are active', async () => {
    expect(await verify(sign({ secret: OTHER }), [SECRET, OTHER])).toMatchObject({ type: 'job.finished' });
    await expect(verify(sign({ secret: OTHER }), SECRET)).rejects.toThrow(WebhookVerificationError);
  });

  test.for([
    ['another body', { body: `${BODY} ` }],
    ['another id', { headers: { ...sign().headers, 'webhook-id': 'evt_2' } }],
    ['another timestamp', { headers: { ...sign().headers, 'webhook-timestamp': String(NOW_MS / 1_000 + 1) } }],
    ['no signature', { headers: { ...sign().headers, 'webhook-signature': undefined } }],
    ['a signature of another version', { headers: { ...sign().headers, 'webhook-signature': 'v2,AAAA' } }],
    ['a timestamp that is no number', { headers: { ...sign().headers, 'webhook-timestamp': 'soon' } }],
  ] as const)('refuses %s', async ([, changed]) => {
    await expect(verify({ ...sign(), ...changed })).rejects.toThrow(WebhookVerificationError);
  });

  test.for([
    [{ timestamp: NOW_MS / 1_000 - 301 }, 'The webhook is too old.'],
    [{ timestamp: NOW_MS / 1_000 + 301 }, 'The webhook is from the future.'],
    [{ body: 'hello' }, 'The body of the webhook is not JSON.'],
    ...['null', '{"type":"job.finished","data":null}'].map(
      (body) => [{ body }, 'The body of the webhook is not an event.'] as const,
    ),
  ] as const)('refuses the signed %j: %s', async ([changes, message]) => {
    await expect(verify(sign(changes))).rejects.toThrow(new WebhookVerificationError(message));
  });

  test('takes one signed 300 seconds ago', async () => {
    expect(await verify(sign({ timestamp: NOW_MS / 1_000 - 300 }))).toMatchObject({ type: 'job.finished' });
  });

  test('passes on an event of a type that is not known yet', async () => {
    const body = '{"type":"connection.moved","data":{"connectionId":null}}';
    expect(await verify(sign({ body }))).toEqual(JSON.parse(body));
  });

  test('refuses 4,000 signatures without any cryptography', async () => {
    const operations = countCryptography();
    const headers = {
      ...sign().headers,
      'webhook-signature': Array(4_000)
        .fill(`v1,${'A'.repeat(43)}=`)
        .join(' '),
    };
    await expect(verify({ ...sign(), headers }, [SECRET, OTHER])).rejects.toThrow('has more than 10 entries');
    expect(operations()).toBe(0);
  });

  test('gives an event the type that its schema has', () => {
    expectTypeOf<z.infer<typeof WebhookEventBody>>().toExtend<WebhookEvent>();
    expectTypeOf<WebhookEvent>().toExtend<z.infer<typeof WebhookEventBody>>();
    expectTypeOf<Extract<WebhookEvent, { type: 'job.finished' }>>().toEqualTypeOf<JobFinishedEvent>();
    expectTypeOf<JobFinishedEvent['data']['kind']>().toEqualTypeOf<'SCAN' | 'METRICS' | 'LOOKUP'>();
    expectTypeOf<ContentChangedEvent['data']['addedCount']>().toEqualTypeOf<number>();
  });
});
