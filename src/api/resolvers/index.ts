import type { Resolvers } from '../../generated/schema.ts';
import { connectSessionResult } from './connect-session-result.ts';
import { connection } from './connection.ts';
import { connections } from './connections.ts';
import { content } from './content.ts';
import { contentItem } from './content-item.ts';
import { createConnectSession } from './create-connect-session.ts';
import { createIdpIdentitySession } from './create-idp-identity-session.ts';
import { disconnectConnection } from './disconnect-connection.ts';
import { integrationReadiness } from './integration-readiness.ts';
import { redeemIdpIdentityResult } from './redeem-idp-identity-result.ts';
import { requestContentLookup } from './request-content-lookup.ts';
import { requestRefresh } from './request-refresh.ts';
import { syncJob } from './sync-job.ts';

/** Every root field of the callers' schema. */
export const resolvers = {
  Query: {
    status: () => ({ ok: true, message: 'The service answers.' }),
    integrationReadiness,
    connectSessionResult,
    connection,
    connections,
    content,
    contentItem,
    syncJob,
  },
  Mutation: {
    createConnectSession,
    createIdpIdentitySession,
    redeemIdpIdentityResult,
    disconnectConnection,
    requestRefresh,
    requestContentLookup,
  },
} satisfies Resolvers;
