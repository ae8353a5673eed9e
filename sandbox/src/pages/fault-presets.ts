import { type FaultKind, IDP_LIES } from '../faults.ts';

/** The faults on the control page. Tests can set more details. */
export const FAULT_PRESETS: Readonly<Record<string, { readonly text: string; readonly what: FaultKind }>> = {
  tooMany: { text: '429 too many requests', what: { kind: 'status', status: 429 } },
  tooManyWait: { text: '429, wait 30 s', what: { kind: 'status', status: 429, retryAfterSeconds: 30 } },
  quota: { text: 'quota used up', what: { kind: 'quota' } },
  internal: { text: '500 internal error', what: { kind: 'status', status: 500 } },
  unavailable: { text: '503 unavailable', what: { kind: 'status', status: 503 } },
  slow: { text: '5 s late', what: { kind: 'slow', delayMs: 5000 } },
  hang: { text: 'no answer', what: { kind: 'hang' } },
  trickle: { text: 'a byte every 100 ms', what: { kind: 'trickle', intervalMs: 100 } },
  resetMidBody: { text: 'reset in mid-body', what: { kind: 'resetMidBody' } },
  answerLost: { text: 'answer lost', what: { kind: 'answerLost' } },
  malformedJson: { text: 'malformed JSON', what: { kind: 'malformedJson' } },
  wrongContentType: { text: 'wrong content type', what: { kind: 'wrongContentType' } },
  ...Object.fromEntries(IDP_LIES.map((lie) => [lie, { text: `IDP: ${lie}`, what: { kind: 'idp', lie } as const }])),
};
