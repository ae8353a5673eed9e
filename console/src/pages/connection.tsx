import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { MutationButton } from '../components/action-button.tsx';
import { AppLink } from '../components/app-link.tsx';
import { AttemptTable } from '../components/attempt-table.tsx';
import { AuditTable } from '../components/audit-table.tsx';
import { DataTable, EmptyState } from '../components/data-table.tsx';
import { DetailsList } from '../components/details-list.tsx';
import { JobCard } from '../components/job-card.tsx';
import { CopyableText, InternalLink, TemporalLink } from '../components/links.tsx';
import { AccountName, ShowNamesButton } from '../components/names.tsx';
import { Page, Section } from '../components/page.tsx';
import { ProofOfDeletionButton } from '../components/proof-of-deletion-button.tsx';
import { QueryState } from '../components/query-state.tsx';
import { ExplainedState, StateBadge } from '../components/status-badge.tsx';
import { Age, Time, TimeUntil } from '../components/time.tsx';
import {
  type ConnectionDetailsFragment,
  ConnectionDocument,
  type ConnectionStatus,
  type ConnectionStoryDetailsFragment,
  DisconnectConnectionDocument,
  type JobDetailsFragment,
} from '../generated/operations.ts';
import { useRetries } from '../retries.tsx';
import { isJobOpen, isRevokeJob } from '../texts/jobs.ts';
import { CAPABILITY_MEANINGS, GRANT_STATES, getConnectionState, SYNC_STATES } from '../texts/states.ts';

/** Everything about one connection, also after its erasure, when only the receipts are left. */
export function Connection() {
  const { id } = useParams<{ id: string }>();
  const { pollMs } = useRetries();
  const [showNames, setShowNames] = useState(false);
  const query = useAdminQuery(ConnectionDocument, { id, showNames }, { pollMs });
  const story = query.data?.connection;
  return (
    <Page
      title={story?.connection ? `Connection at ${formatProvider(story.connection.provider)}` : 'Connection'}
      lead={<CopyableText text={id} name="the connection's id" />}
      actions={
        story && (
          <>
            <Button component={Link} href={`/webhooks?connection=${id}`} variant="subtle">
              View its webhooks
            </Button>
            {story.connection && <ShowNamesButton of={[story.connection]} show={() => setShowNames(true)} />}
            <Actions story={story} />
          </>
        )
      }
    >
      <QueryState of={query} />
      {story && <Story story={story} />}
    </Page>
  );
}

const DISCONNECTABLE: readonly ConnectionStatus[] = ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'];

function Actions({ story: { id, connection } }: { story: ConnectionStoryDetailsFragment }) {
  if (connection === null) return <ProofOfDeletionButton connectionId={id} />;
  if (!DISCONNECTABLE.includes(connection.status)) return null;
  return (
    <MutationButton
      mutation={DisconnectConnectionDocument}
      label="Disconnect…"
      color="red"
      variant="outline"
      confirm={{
        title: 'Disconnect this connection',
        action: 'Disconnect',
        isDanger: true,
        text: 'Access stops at once, the grant is revoked at the provider, and all data is erased. Only the person can connect again.',
      }}
      variables={{ id }}
      successMessage="Disconnected. The receipts show the progress."
    />
  );
}

const Story = ({ story }: { story: ConnectionStoryDetailsFragment }) => (
  <>
    <Summary story={story} />
    {story.receipts.length > 0 && (
      <Section title="Disconnect" lead="The two receipts of the disconnect: first the revoke, then the erase.">
        {[...story.receipts].sort(compareRevokeFirst).map((job) => (
          <JobCard key={job.id} job={job} isOnConnectionPage />
        ))}
      </Section>
    )}
    {story.connection && <ConnectionFacts connection={story.connection} />}
    <Section title="Grants" lead="Each grant is one consent. The console never shows tokens: the api cannot read them.">
      <DataTable
        caption="Grants"
        items={story.grants}
        idOf={({ id }) => id}
        empty="There are no grants."
        columns={[
          { name: 'Status', cell: ({ status }) => <StateBadge state={GRANT_STATES[status]} /> },
          { name: 'Obtained', cell: ({ obtainedAt }) => <Time at={obtainedAt} /> },
          { name: 'Permissions', cell: ({ permissions }) => permissions.join(', ') || '–' },
          {
            name: 'Access token expires',
            cell: ({ accessExpiresAt }) => (accessExpiresAt ? <Time at={accessExpiresAt} /> : '–'),
          },
          {
            name: 'Consent expires',
            cell: ({ refreshExpiresAt }) => (refreshExpiresAt ? <Time at={refreshExpiresAt} /> : 'no expiry'),
          },
          {
            name: 'Refreshes',
            cell: ({ refreshCount, refreshClaimedAt }) => (
              <>
                {refreshCount}
                {refreshClaimedAt !== null && (
                  <>
                    (refreshing for <Age since={refreshClaimedAt} />)
                  </>
                )}
              </>
            ),
          },
        ]}
      />
    </Section>
    <Section title="Attempts" lead="Attempts to connect or reconnect this account.">
      <AttemptTable attempts={story.attempts} empty="There are no attempts." />
    </Section>
    <Section title="Read jobs">
      {story.jobs.length === 0 && <EmptyState>There are no read jobs.</EmptyState>}
      {story.jobs.slice(0, MAX_READS_SHOWN).map((job) => (
        <JobCard key={job.id} job={job} isOnConnectionPage />
      ))}
      {story.jobs.length > MAX_READS_SHOWN && story.connection !== null && (
        <Text size="sm">and {story.jobs.length - MAX_READS_SHOWN} older jobs</Text>
      )}
    </Section>
    <Section title="Audit log" lead="Actions of operators on this connection, its jobs and its attempts.">
      <AuditTable entries={story.audit} empty="There are no entries." />
    </Section>
  </>
);

const MAX_READS_SHOWN = 5;

const compareRevokeFirst = (one: JobDetailsFragment, other: JobDetailsFragment) =>
  Number(isRevokeJob(other)) - Number(isRevokeJob(one));

/** The state of the connection in one sentence. */
function Summary({ story: { connection, receipts } }: { story: ConnectionStoryDetailsFragment }) {
  const revoke = receipts.find(({ kind }) => kind === 'REVOKE');
  const erase = receipts.find(({ kind }) => kind === 'ERASE');
  if (connection === null) {
    return (
      <Text>
        This connection was erased
        {erase?.finishedAt && (
          <>
            {' '}
            on <Time at={erase.finishedAt} />
          </>
        )}
        . Its receipts are kept for 7 days.
      </Text>
    );
  }
  if (revoke && isJobOpen(revoke)) {
    return <Text>This connection is being disconnected. Its app has no access. The grant is not revoked yet.</Text>;
  }
  if (erase && isJobOpen(erase)) return <Text>The revoke has settled. The remaining data is being erased.</Text>;
  return <Text>{getConnectionState(connection).meaning}</Text>;
}

const ConnectionFacts = ({ connection }: { connection: ConnectionDetailsFragment }) => (
  <Section title="Details">
    <DetailsList
      of={[
        ['Account', <AccountName key="account" of={connection} />],
        ['Status', <StateBadge key="status" state={getConnectionState(connection)} />],
        ['In this status since', <Time key="since" at={connection.changedAt} />],
        ['Will be erased', connection.erasesAt && <Time key="erases" at={connection.erasesAt} />],
        ['Reason', connection.disconnectReason],
        ['Connected', <Time key="made" at={connection.createdAt} />],
        ['Its app reads', connection.readErrorCode ?? 'OK'],
        ['App', <AppLink key="app" id={connection.appId} name={connection.appName} />],
        ['Tenant', connection.tenantKey],
        ['Subject', connection.externalSubjectId],
        [
          'Registration',
          <InternalLink key="r" href={`/registrations/${connection.registrationId}`}>
            {connection.registrationLabel}
          </InternalLink>,
        ],
        ['Posts', <ExplainedState key="sync" state={SYNC_STATES[connection.syncStatus]} />],
        ['Last complete scan', connection.lastSuccessfulSyncAt && <Time at={connection.lastSuccessfulSyncAt} />],
        ['Next scan in', connection.nextRetryAt && <TimeUntil at={connection.nextRetryAt} />],
        [
          'Capabilities',
          connection.capabilities.length > 0 &&
            connection.capabilities
              .map(({ capability, availability, reason }) =>
                availability === 'AVAILABLE'
                  ? (CAPABILITY_MEANINGS[capability] ?? capability)
                  : `${CAPABILITY_MEANINGS[capability] ?? capability} (not now: ${reason ?? availability})`,
              )
              .join(', '),
        ],
        [
          'Temporal UI',
          connection.workflowsUrl && <TemporalLink url={connection.workflowsUrl}>View its workflows</TemporalLink>,
        ],
      ]}
    />
  </Section>
);
