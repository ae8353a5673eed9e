import { countCall, type ProviderCall } from '../telemetry/instruments.ts';
import { type Call, type Provider, ProviderError } from './provider.ts';

export const PROVIDER_CALLS: readonly ProviderCall[] = [
  'exchangeCode',
  'refresh',
  'adoptTokens',
  'probeClient',
  'revoke',
  'readAccount',
  'listContent',
  'readContent',
  'lookUp',
];

/**
 * Wraps a provider so that the metrics record the outcome and the duration of each call.
 * @param report takes each failure of a platform
 */
export function countCalls(provider: Provider, report: (failure: ProviderError) => void): Provider {
  const counting =
    <Args extends [...unknown[], Call], T>(call: ProviderCall, method: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      const startedAtMs = performance.now();
      const count = (outcome: Parameters<typeof countCall>[1]) =>
        countCall({ provider: provider.name, call }, outcome, (performance.now() - startedAtMs) / 1000);
      try {
        const result = await method(...args);
        count('OK');
        return result;
      } catch (error) {
        const { signal } = args.at(-1) as Call;
        const type = error instanceof ProviderError ? error.type : 'Unexpected';
        count(type === 'RetryLater' && signal.aborted ? 'BrokenOff' : type);
        if (error instanceof ProviderError) {
          error.call ??= call;
          report(error);
        }
        throw error;
      }
    };
  return {
    ...provider,
    exchangeCode: counting('exchangeCode', provider.exchangeCode),
    refresh: counting('refresh', provider.refresh),
    adoptTokens: counting('adoptTokens', provider.adoptTokens),
    probeClient: counting('probeClient', provider.probeClient),
    revoke: counting('revoke', provider.revoke),
    readAccount: counting('readAccount', provider.readAccount),
    listContent: counting('listContent', provider.listContent),
    readContent: counting('readContent', provider.readContent),
    lookUp: counting('lookUp', provider.lookUp),
  };
}
