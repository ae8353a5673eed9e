import { may, need, needPerson, type RemoteCommand } from '../shape.ts';
import { BULK, dryRun, ID, mutationsOf, PAGE, paged, queriesOf } from './parts.ts';

const ERASURE = 'id appId requestedAt completedAt remaining connectionIds';

const query = queriesOf('Erasures and bulk disconnects');
const mutate = mutationsOf('Erasures and bulk disconnects');

/** Bulk disconnects, erasures, exports and proofs of deletion. */
export const ERASURE_COMMANDS: Readonly<Record<string, RemoteCommand>> = {
  'disconnects list': query('bulkDisconnects', 'List the last 50 bulk disconnects', {}, {}, BULK),
  'disconnects show': query(
    'bulkDisconnect',
    'Show one bulk disconnect',
    { 'bulk-disconnect': need('id', 'BULK_DISCONNECT_ID') },
    ID,
    BULK,
  ),
  'disconnects start': mutate(
    'disconnectAll',
    'Disconnect all connections of a tenant or of a registration',
    {
      app: may('input.appId', 'APP_ID'),
      tenant: may('input.tenantKey', 'TENANT_KEY'),
      registration: may('input.registrationId', 'REGISTRATION_ID'),
      ...dryRun,
    },
    { input: 'DisconnectAllInput!', dryRun: 'Boolean' },
    `dryRun connectionCount bulkDisconnect { ${BULK} }`,
    { confirm: { of: ['tenant', 'registration'] }, fixed: { input: {} } },
  ),
  'erasures list': query(
    'erasures',
    'List the receipts of erasures, newest first',
    {},
    PAGE,
    paged('id appId appName requestedAt completedAt connectionCount remaining'),
    { isPaged: true },
  ),
  'erasures show': query(
    'erasure',
    'Show the receipt of an erasure',
    { erasure: need('id', 'ERASURE_ID') },
    ID,
    `${ERASURE} jobs { id kind status }`,
  ),
  'person erase': mutate(
    'eraseSubject',
    'Erase a person: disconnect and erase everything of one subject',
    {
      app: need('input.appId', 'APP_ID'),
      tenant: need('input.tenantKey', 'TENANT_KEY'),
      subject: needPerson('input.externalSubjectId', 'SUBJECT'),
      ...dryRun,
    },
    { input: 'EraseSubjectInput!', dryRun: 'Boolean' },
    `dryRun connectionCount attemptCount keptTokenCount erasure { ${ERASURE} }`,
    { confirm: { of: ['subject'] } },
  ),
  'person export': mutate(
    'exportSubject',
    'Export one page of the data stored about a person; pass endCursor as --after for the next',
    {
      app: need('input.appId', 'APP_ID'),
      tenant: need('input.tenantKey', 'TENANT_KEY'),
      subject: needPerson('input.externalSubjectId', 'SUBJECT'),
      after: may('after', 'CURSOR'),
    },
    { input: 'ExportSubjectInput!', after: 'String' },
    'rows endCursor',
  ),
  'proof export': query(
    'proofOfDeletion',
    'Export the proof that the data of a connection was deleted',
    { connection: need('connectionId', 'CONNECTION_ID') },
    { connectionId: 'ID!' },
    'connectionId document signature',
  ),
  'proof verify': {
    ...query(
      'verifyProofOfDeletion',
      'Check a proof of deletion: that this service made it, and that nobody changed it',
      { document: need('document', 'DOCUMENT'), signature: need('signature', 'SIGNATURE') },
      { document: 'String!', signature: 'String!' },
      '',
    ),
    show: (isValid: boolean) => ({ isValid }),
  },
};
