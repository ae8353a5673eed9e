/**
 * The workflows of versioned workers. What may wait for days goes on with the version that is current at its next step;
 * all else, over in minutes, ends with the version it began with. A bundle of its own, since the server refuses such
 * words from workers that are not versioned.
 */
import { setWorkflowOptions } from '@temporalio/workflow';
import { contentLookup, disconnect, metricsRefresh, revokeGrant, scan, verifyGrant, verifySiblings } from './index.ts';

export * from './index.ts';

const movesOn = { versioningBehavior: 'AUTO_UPGRADE' } as const;
setWorkflowOptions(movesOn, disconnect);
setWorkflowOptions(movesOn, revokeGrant);
setWorkflowOptions(movesOn, verifyGrant);
setWorkflowOptions(movesOn, verifySiblings);
setWorkflowOptions(movesOn, scan);
setWorkflowOptions(movesOn, metricsRefresh);
setWorkflowOptions(movesOn, contentLookup);
