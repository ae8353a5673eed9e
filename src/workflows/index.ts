export { connectAttempt } from './connect-attempt.ts';
export { disconnect } from './disconnect.ts';
export { contentLookup, metricsRefresh, scan } from './read-job.ts';
export { revokeGrant } from './revoke-grant.ts';
export { sweep } from './sweep.ts';
