import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { createLog } from '../../src/basics/log.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { initializeIssuerCounters } from '../../src/telemetry/instruments.ts';
import { type Metrics, startMetrics } from '../../src/telemetry/metrics.ts';
import { Issuer, newKey, signInAt } from './issuer.ts';

let key: Awaited<ReturnType<typeof newKey>>;
let metrics: Metrics;
beforeAll(async () => {
  key = await newKey();
  metrics = await startMetrics({ host: LOOPBACK, port: 0 }, createLog('silent'));
});
afterAll(() => metrics.close());

/** The counts by call and outcome, without zeros; and the number of timed calls. */
async function counts() {
  const text = await (await fetch(`http://${LOOPBACK}:${metrics.port}/metrics`)).text();
  const of = (series: RegExp) =>
    Object.fromEntries([...text.matchAll(series)].map(([, labels, value]) => [labels, Number(value)]));
  return {
    calls: of(/^accounts_issuer_calls_total\{(.*)\} (\d+)$/gm),
    timed: of(/^accounts_issuer_call_duration_seconds_count\{(.*)\} (\d+)$/gm),
  };
}

test('requests to issuers are counted by outcome, without labels that name an issuer', async () => {
  initializeIssuerCounters();
  const [complete, incomplete, busy] = [new Issuer(key), new Issuer(key), new Issuer(key)];
  const [rejecting, liar, away] = [new Issuer(key), new Issuer(key), new Issuer(key)];
  await complete.issue();
  await incomplete.issue({ name: undefined }); // Userinfo answers with a 500.
  await liar.issue({ aud: 'somebody else' });
  busy.refusal = new Response('', { status: 503 });
  rejecting.refusal = Response.json({ error: 'invalid_client' }, { status: 401 });
  const unreachable = new ProviderError('RetryLater', 'No answer.');
  const asked = [
    signInAt(complete).redeem(),
    signInAt(incomplete).redeem(),
    signInAt(busy).redeem(),
    signInAt(rejecting).redeem(),
    signInAt(liar).redeem(),
    signInAt(Object.assign(away, { fetch: async () => Promise.reject(unreachable) })).redeem(),
  ];
  await Promise.allSettled(asked);
  const again = signInAt(complete);
  await again.redeem();
  await again.redeem(); // The metadata of the issuer is cached by now.
  expect(await counts()).toEqual({
    calls: {
      'call="discover",outcome="OK"': 6,
      'call="discover",outcome="RetryLater"': 1,
      'call="redeem",outcome="OK"': 4,
      'call="redeem",outcome="RetryLater"': 1,
      'call="redeem",outcome="ClientRejected"': 1,
      'call="redeem",outcome="ContractBroken"': 1,
      'call="userinfo",outcome="OK"': 0,
      'call="userinfo",outcome="RetryLater"': 0,
      'call="userinfo",outcome="ContractBroken"': 1,
    },
    timed: { 'call="discover"': 7, 'call="redeem"': 7, 'call="userinfo"': 1 },
  });
});
