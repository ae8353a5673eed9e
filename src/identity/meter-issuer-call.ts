import { countIssuerCall, type IssuerCall } from '../telemetry/instruments.ts';
import { classifyIssuerError } from './classify-issuer-error.ts';

/** Runs a request to an issuer and counts its outcome and duration. */
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
