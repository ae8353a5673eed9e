import { afterAll, expect, test } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { createLog } from '../../src/basics/log.ts';
import { initializeIssuerCounters } from '../../src/telemetry/instruments.ts';
import { startMetrics } from '../../src/telemetry/metrics.ts';
import { Issuer, newKey, signInAt } from './issuer.ts';

const key = await newKey();
const metrics = await startMetrics({ host: LOOPBACK, port: 0 }, createLog('silent'));
afterAll(() => metrics.close());

test('requests to issuers are counted by outcome, without labels that name an issuer', async () => {
  initializeIssuerCounters();
  const [complete, busy, rejecting, liar] = [new Issuer(key), new Issuer(key), new Issuer(key), new Issuer(key)];
  await complete.issue();
  await liar.issue({ aud: 'somebody else' });
  busy.refusal = new Response('', { status: 503 });
  rejecting.refusal = Response.json({ error: 'invalid_client' }, { status: 401 });
  const channel = signInAt(complete);
  const asked = [channel.redeem(), ...[busy, rejecting, liar].map((issuer) => signInAt(issuer).redeem())];
  await Promise.allSettled(asked);
  await channel.redeem(); // The metadata of the issuer is cached by now.
  const text = await (await fetch(`http://${LOOPBACK}:${metrics.port}/metrics`)).text();
  const counted = [...text.matchAll(/^accounts_issuer_calls_total\{(.*)\} ([1-9]\d*)$/gm)];
  expect(Object.fromEntries(counted.map(([, labels, value]) => [labels, Number(value)]))).toEqual({
    'call="discover",outcome="OK"': 4,
    'call="redeem",outcome="OK"': 2,
    'call="redeem",outcome="RetryLater"': 1,
    'call="redeem",outcome="ClientRejected"': 1,
    'call="redeem",outcome="ContractBroken"': 1,
  });
});
