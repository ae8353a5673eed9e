import type { ProviderName } from '../../basics/codes.ts';
import { ruleOf } from '../../basics/failures.ts';
import type { ChecklistItem, Symptom } from '../../providers/checklist.ts';
import { PLATFORMS } from '../../providers/platforms.ts';
import type { ProviderError } from '../../providers/provider.ts';

/** The items whose absence can explain the findings of a trial. */
export const explainSymptom = (provider: ProviderName, symptom: Symptom): readonly ChecklistItem[] =>
  PLATFORMS[provider].checklist.filter(({ symptoms }) => symptoms.includes(symptom));

/** The findings that a failed step suggests. A list of its own: most failures suggest none. */
export function findSymptom({ type, status }: ProviderError): Symptom | undefined {
  if (ruleOf(type).grant.withdraws !== undefined) return 'ACCOUNT_UNUSABLE';
  switch (type) {
    case 'QuotaSpent':
      return 'QUOTA_SPENT';
    case 'ClientRejected':
      return 'READS_REFUSED';
    case 'RetryLater':
      return status !== undefined && status >= 400 && status < 429 ? 'READS_REFUSED' : undefined;
    default:
      return undefined;
  }
}
