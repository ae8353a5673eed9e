/**
 * The workflows of versioned workers. A workflow that may wait for days moves to the version that is current at its next
 * step. Every other workflow ends within minutes, with the version that started it. This is a bundle of its own, since the
 * server refuses these options from unversioned workers.
 */
import { setWorkflowOptions } from '@temporalio/workflow';
import {
  contentLookup,
  disconnect,
  metricsRefresh,
  revokeGrant,
  scan,
  sendWebhooks,
  verifyGrant,
  verifySiblings,
} from './index.ts';

export * from './index.ts';

const autoUpgrade = { versioningBehavior: 'AUTO_UPGRADE' } as const;
setWorkflowOptions(autoUpgrade, disconnect);
setWorkflowOptions(autoUpgrade, revokeGrant);
setWorkflowOptions(autoUpgrade, verifyGrant);
setWorkflowOptions(autoUpgrade, verifySiblings);
setWorkflowOptions(autoUpgrade, scan);
setWorkflowOptions(autoUpgrade, metricsRefresh);
setWorkflowOptions(autoUpgrade, contentLookup);
setWorkflowOptions(autoUpgrade, sendWebhooks);
