import { arg, type Command, commandsOf } from '../shape.ts';
import { BULK, dryRun } from './parts.ts';

const ERASURE = 'id appId requestedAt completedAt remaining connectionIds';

const command = commandsOf('Erasures and bulk disconnects');

/** Bulk disconnects, erasures, exports and proofs of deletion. */
export const ERASURE_COMMANDS: Readonly<Record<string, Command>> = {
  'disconnects list': command('bulkDisconnects', 'List the last 50 bulk disconnects', {}, BULK),
  'disconnects show': command(
    'bulkDisconnect',
    'Show one bulk disconnect',
    { 'bulk-disconnect': arg('id', 'BULK_DISCONNECT_ID') },
    BULK,
  ),
  'disconnects start': command(
    'disconnectAll',
    'Disconnect all connections of a tenant or of a registration',
    {
      app: arg('input.appId', 'APP_ID'),
      tenant: arg('input.tenantKey', 'TENANT_KEY'),
      registration: arg('input.registrationId', 'REGISTRATION_ID'),
      ...dryRun,
    },
    `dryRun connectionCount bulkDisconnect { ${BULK} }`,
    { confirm: { of: ['tenant', 'registration'] }, fixed: { input: {} } },
  ),
  'erasures list': command(
    'erasures',
    'List the receipts of erasures, newest first',
    {},
    'id appId appName requestedAt completedAt connectionCount remaining',
  ),
  'erasures show': command(
    'erasure',
    'Show the receipt of an erasure',
    { erasure: arg('id', 'ERASURE_ID') },
    `${ERASURE} jobs { id kind status }`,
  ),
  'person show': command(
    'person',
    'Show whether the tenant exists, and whether something is stored under the subject',
    {
      app: arg('input.appId', 'APP_ID'),
      tenant: arg('input.tenantKey', 'TENANT_KEY'),
      subject: arg('input.externalSubjectId', 'SUBJECT', { isPerson: true }),
    },
    'isTenant isHeld otherTenants erasureId erasureRequestedAt',
  ),
  'person erase': command(
    'eraseSubject',
    'Erase a person: disconnect and erase everything of one subject',
    {
      app: arg('input.appId', 'APP_ID'),
      tenant: arg('input.tenantKey', 'TENANT_KEY'),
      subject: arg('input.externalSubjectId', 'SUBJECT', { isPerson: true }),
      ...dryRun,
    },
    `dryRun connectionCount attemptCount keptTokenCount erasure { ${ERASURE} }`,
    { confirm: { of: ['subject'] } },
  ),
  'person export': command(
    'exportSubject',
    'Export one page of the data stored about a person; pass endCursor as --after for the next',
    {
      app: arg('input.appId', 'APP_ID'),
      tenant: arg('input.tenantKey', 'TENANT_KEY'),
      subject: arg('input.externalSubjectId', 'SUBJECT', { isPerson: true }),
      after: arg('after', 'CURSOR'),
    },
    'rows endCursor',
  ),
  'proof export': command(
    'proofOfDeletion',
    'Export the proof that the data of a connection was deleted',
    { connection: arg('connectionId', 'CONNECTION_ID') },
    'connectionId document signature',
  ),
  'certificate export': command(
    'certificateOfDeletion',
    'Export the certificate that no account data of a registration is held',
    { registration: arg('registrationId', 'REGISTRATION_ID') },
    'registrationId document signature',
  ),
  'proof verify': command(
    'verifyProofOfDeletion',
    'Check a proof or certificate of deletion: that this service made it, and that it is unchanged',
    { document: arg('document', 'DOCUMENT'), signature: arg('signature', 'SIGNATURE') },
    '',
    { show: (isValid: boolean) => ({ isValid }) },
  ),
};
