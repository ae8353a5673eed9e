import * as wf from '@temporalio/workflow';
import * as workflows from '../../src/workflows/index.ts';

/** Every workflow with extra timers at its start: none may replay a recorded history. */
const changed =
  <Input, Output>(workflow: (input: Input) => Promise<Output>) =>
  async (input: Input): Promise<Output> => {
    await Promise.all([wf.sleep('1 second'), wf.sleep('1 second')]);
    return await workflow(input);
  };

export const connectAttempt = changed(workflows.connectAttempt);
export const disconnect = changed(workflows.disconnect);
export const scan = changed(workflows.scan);
export const metricsRefresh = changed(workflows.metricsRefresh);
export const contentLookup = changed(workflows.contentLookup);
export const identityAttempt = changed(workflows.identityAttempt);
export const verifySiblings = changed(workflows.verifySiblings);
export const verifyGrant = changed(workflows.verifyGrant);
export const connectionUpkeep = changed(workflows.connectionUpkeep);
export const disconnectAll = changed(workflows.disconnectAll);
export const revokeGrant = changed(workflows.revokeGrant);
export const clientProbe = changed(workflows.clientProbe);
export const sweep = changed(workflows.sweep);
export const sendWebhooks = changed(workflows.sendWebhooks);
