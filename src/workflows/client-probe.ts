import { Priority, proxyGrants } from './calls.ts';
import type { InputOf } from './contract.ts';
import { showEnd, showStep, toProgressCode } from './progress.ts';
import { readFailure } from './read-failure.ts';

/** Probes a provider that refuses our client. The sweep starts it each minute until the provider accepts the client. */
export async function clientProbe({ registrationId, provider }: InputOf<'clientProbe'>): Promise<void> {
  const { probeRegistration } = proxyGrants(provider, 'check whether the provider accepts our client', Priority.revoke);
  showStep('PROBE');
  try {
    await probeRegistration({ registrationId });
    showEnd('The provider has answered; the registration shows the result.');
  } catch (error) {
    const { type } = readFailure(error);
    showEnd(`No answer: ${type}. The sweep asks again.`, toProgressCode(type));
  }
}
