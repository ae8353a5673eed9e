export { connectAttempt } from './connect-attempt.ts';
export { connectionUpkeep } from './connection-upkeep.ts';
export { disconnect } from './disconnect.ts';
export { identityAttempt } from './identity-attempt.ts';
export { contentLookup, metricsRefresh, scan } from './read-job.ts';
export { revokeGrant } from './revoke-grant.ts';
export { sweep } from './sweep.ts';
export { verifySiblings } from './verify-siblings.ts';
