import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { OTHER_SECRET, SECRET, signWebhook } from '../caller/webhook.ts';
import { startReceiver } from './receivers.ts';

describe.each(['js', 'python'] as const)('the %s receiver of the guide to webhooks', (language) => {
  test('accepts events that are signed with one of its secrets, and refuses the rest', async () => {
    const receiver = await startReceiver(language, [SECRET, OTHER_SECRET]);
    onTestFinished(receiver.stop);
    const send = async (request: RequestInit) => (await fetch(receiver.url, request)).status;
    const event = { type: 'job.finished', data: { connectionId: 'c0ffee' } };
    expect(await send(signWebhook(event))).toBe(204);
    expect(await send(signWebhook(event, { secret: OTHER_SECRET }))).toBe(204);
    await vi.waitUntil(() => receiver.lines().length === 2);
    for (const line of receiver.lines()) expect(line).toMatch(/^job\.finished .*c0ffee/);
    const { body, ...rest } = signWebhook(event);
    expect(await send({ ...rest, body: `${body} ` })).toBe(400);
    expect(await send(signWebhook(event, { ageSeconds: 301 }))).toBe(400);
    expect(await send({ method: 'POST', body })).toBe(400);
    const large = signWebhook({ ...event, padding: 'x'.repeat(64 * 1024) });
    // Signed, but not read to its end: a receiver may close the connection before it answers.
    expect([400, 413, 'closed']).toContain(await send(large).catch(() => 'closed'));
    expect(receiver.lines()).toHaveLength(2);
  });
});
