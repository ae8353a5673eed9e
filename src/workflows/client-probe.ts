import { Priority, proxyGrants } from './calls.ts';
import type { InputOf } from './contract.ts';
import { showStep } from './progress.ts';
import { readFailure } from './read-failure.ts';

/** Asks a provider that refuses our client whether it still does. The sweep starts it each minute until it does not. */
export async function clientProbe({ registrationId, provider }: InputOf<'clientProbe'>): Promise<void> {
  const { probeRegistration } = proxyGrants(
    provider,
    'check whether the provider accepts our client',
    Priority.release,
  );
  showStep('PROBE');
  try {
    await probeRegistration({ registrationId });
    showStep('ENDED', 'The provider has answered; the registration shows the result.');
  } catch (error) {
    showStep('ENDED', `No answer: ${readFailure(error).type}. The sweep asks again.`);
  }
}
