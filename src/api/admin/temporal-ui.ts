import { FAILING_WORKFLOWS } from '../../workflows/contract.ts';
import type { TemporalUi } from './context.ts';

/** @param baseUrl of the Temporal UI, where there is one. */
export function createTemporalUi(baseUrl: string | undefined, namespace: string): TemporalUi {
  const workflows = `${baseUrl}/namespaces/${encodeURIComponent(namespace)}/workflows`;
  const where = (url: string) => (baseUrl === undefined ? null : url);
  const list = (query: string) => where(`${workflows}?query=${encodeURIComponent(query)}`);
  return {
    workflow: (workflowId) => where(`${workflows}/${encodeURIComponent(workflowId)}`),
    connection: (connectionId) => list(`ConnectionId="${connectionId}"`),
    failing: () => list(FAILING_WORKFLOWS),
  };
}
