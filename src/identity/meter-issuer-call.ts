import { countIssuerCall, type IssuerCall } from '../telemetry/instruments.ts';
import { classifyIssuerError } from './classify-issuer-error.ts';

/** Runs what an issuer is asked for; what it comes to, and how long it takes, is counted. */
export async function meterIssuerCall<T>(call: IssuerCall, ask: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const count = (outcome: Parameters<typeof countIssuerCall>[1]) =>
    countIssuerCall(call, outcome, (performance.now() - startedAtMs) / 1000);
  try {
    const result = await ask();
    count('OK');
    return result;
  } catch (error) {
    count(classifyIssuerError(error).type);
    throw error;
  }
}
