import { Button, Code, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { isLiveConnection, PLATFORM_NAMES, type ProviderName } from '../../../src/basics/codes.ts';
import { formatAccount } from '../../../src/basics/format-account.ts';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { MutationButton } from '../components/action-button.tsx';
import { AppLink } from '../components/app-link.tsx';
import { AttemptTable } from '../components/attempt-table.tsx';
import { AuditTable, formatActor } from '../components/audit-table.tsx';
import { DataTable } from '../components/data-table.tsx';
import { DetailColumns } from '../components/detail-columns.tsx';
import { DetailsPanel } from '../components/details-list.tsx';
import { JobCard } from '../components/job-card.tsx';
import { JobTable } from '../components/job-table.tsx';
import { CopyableText, InternalLink, TemporalLink } from '../components/links.tsx';
import { AccountName, PersonLink, ShowNamesButton } from '../components/names.tsx';
import { Page, Section } from '../components/page.tsx';
import { PlatformName } from '../components/platform.tsx';
import { ProofOfDeletionButton } from '../components/proof-of-deletion-button.tsx';
import { QueryState } from '../components/query-state.tsx';
import { ShortId } from '../components/short-id.tsx';
import { StateBadge, StateDot } from '../components/status-badge.tsx';
import { Age, Time, TimeCell } from '../components/time.tsx';
import { EventTimeline } from '../components/timeline.tsx';
import {
  type ConnectionDetailsFragment,
  ConnectionDocument,
  type ConnectionStoryDetailsFragment,
  DisconnectConnectionDocument,
  type JobDetailsFragment,
} from '../generated/operations.ts';
import { useRetries } from '../retries.tsx';
import { describeAct } from '../texts/audit.ts';
import { toTitle } from '../texts/format.ts';
import { describeRecovery, isJobOpen, isRevokeJob, JOB_TITLES } from '../texts/jobs.ts';
import {
  ATTEMPT_STATES,
  CAPABILITY_MEANINGS,
  GRANT_STATES,
  getConnectionState,
  getJobState,
  SYNC_STATES,
} from '../texts/states.ts';

/** Everything about one connection, also after its erasure, when only the receipts are left. */
export function Connection() {
  const { id } = useParams<{ id: string }>();
  const { pollMs } = useRetries();
  const [showNames, setShowNames] = useState(false);
  const query = useAdminQuery(ConnectionDocument, { id, showNames }, { pollMs });
  const story = query.data?.connection;
  return (
    <Page
      title={story?.connection ? `Connection at ${PLATFORM_NAMES[story.connection.provider]}` : 'Connection'}
      badge={story?.connection && <StateBadge state={getConnectionState(story.connection)} />}
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

/** What a disconnect does at a platform that cannot revoke a grant. */
const WITHOUT_REVOKE: Readonly<Partial<Record<ProviderName, string>>> = {
  PROVIDER_C: 'our tokens are deleted (Instagram has no revoke: the person must remove the app there)',
};

function describeRevoke(
  { provider, status }: ConnectionDetailsFragment,
  { alsoEnds: { length: others }, grants: [latest] }: ConnectionStoryDetailsFragment,
): string {
  const without = WITHOUT_REVOKE[provider];
  if (without !== undefined) return without;
  if (status === 'RECONNECT_REQUIRED') {
    return latest?.mayBeAlive === false
      ? 'no revoke is sent (the grant has ended)'
      : 'no revoke is sent (the grant may have ended: the person may still see the app there, until they remove it)';
  }
  const also =
    others === 0
      ? ''
      : ` (this also ends ${others === 1 ? 'the other connection' : `the ${others} other connections`} of this person with the same client, which the details list)`;
  return `the grant is revoked at ${PLATFORM_NAMES[provider]}${also}`;
}

function Actions({ story }: { story: ConnectionStoryDetailsFragment }) {
  const { id, connection } = story;
  if (connection === null) return <ProofOfDeletionButton connectionId={id} />;
  if (!isLiveConnection(connection.status)) return null;
  return (
    <MutationButton
      mutation={DisconnectConnectionDocument}
      label="Disconnect…"
      color="red"
      variant="outline"
      confirm={{
        title: `Disconnect ${formatAccount(connection)}`,
        action: 'Disconnect',
        isDanger: true,
        text: `The account at ${PLATFORM_NAMES[connection.provider]} of ${connection.externalSubjectId}, an end user of ${connection.appName}. Access stops at once, ${describeRevoke(connection, story)}, and all data is erased. Only the person can connect again.`,
      }}
      variables={{ id }}
      successMessage="Disconnected. The receipts show the progress."
    />
  );
}

const Story = ({ story }: { story: ConnectionStoryDetailsFragment }) => (
  <DetailColumns details={story.connection && <Details connection={story.connection} alsoEnds={story.alsoEnds} />}>
    <Summary story={story} />
    {story.receipts.length > 0 && (
      <Section title="Disconnect" lead="The two receipts of the disconnect: first the revoke, then the erase.">
        {[...story.receipts].sort(compareRevokeFirst).map((job) => (
          <JobCard key={job.id} job={job} isOnConnectionPage />
        ))}
      </Section>
    )}
    <Section title="Timeline">
      <EventTimeline name="What happened to this connection" of={listEvents(story)} />
    </Section>
    {story.connection !== null && <Grants of={story.grants} />}
    <Section title="Attempts" lead="Attempts to connect or reconnect this account.">
      <AttemptTable attempts={story.attempts} empty="There are no attempts." />
    </Section>
    {story.connection !== null && <ReadJobs of={story.jobs} />}
    {story.audit.length > 0 && (
      <Section title="Audit log" lead="Actions of operators on this connection, its jobs and its attempts.">
        <AuditTable entries={story.audit} empty="" />
      </Section>
    )}
  </DetailColumns>
);

const MAX_READS_SHOWN = 5;

const Grants = ({ of: grants }: { of: ConnectionStoryDetailsFragment['grants'] }) => (
  <Section title="Grants" lead="Each grant is one consent. The console never shows tokens: the api cannot read them.">
    <DataTable
      caption="Grants"
      items={grants}
      idOf={({ id }) => id}
      empty="There are no grants."
      columns={[
        {
          name: 'Status',
          cell: ({ status, mayBeAlive }) => (
            <>
              <StateDot state={GRANT_STATES[status]} />
              {mayBeAlive && ' (perhaps)'}
            </>
          ),
        },
        { name: 'Obtained', cell: ({ obtainedAt }) => <TimeCell at={obtainedAt} /> },
        { name: 'Permissions', share: 40, cell: ({ permissions }) => permissions.join(', ') || '–' },
        {
          name: 'Access token until',
          cell: ({ status, accessExpiresAt }) =>
            status !== 'DEAD' && accessExpiresAt ? <TimeCell at={accessExpiresAt} /> : '–',
        },
        {
          name: 'Consent until',
          cell: ({ status, refreshExpiresAt }) =>
            status === 'DEAD' ? '–' : refreshExpiresAt ? <TimeCell at={refreshExpiresAt} /> : 'no expiry',
        },
        {
          name: 'Refreshes',
          isNumber: true,
          cell: ({ refreshCount, refreshClaimedAt }) => (
            <>
              {refreshCount}
              {refreshClaimedAt !== null && (
                <>
                  {' '}
                  (refreshing for <Age since={refreshClaimedAt} />)
                </>
              )}
            </>
          ),
        },
      ]}
    />
  </Section>
);

const ReadJobs = ({ of: jobs }: { of: ConnectionStoryDetailsFragment['jobs'] }) => (
  <Section title="Read jobs">
    <JobTable jobs={jobs.slice(0, MAX_READS_SHOWN)} empty="There are no read jobs." isOfOneConnection />
    {jobs.length > MAX_READS_SHOWN && <Text size="sm">and {jobs.length - MAX_READS_SHOWN} older jobs</Text>}
  </Section>
);

/** Past and next events of the connection, from the rows that the service still keeps. */
function listEvents({
  connection,
  endedByJobId,
  attempts,
  grants,
  receipts,
  jobs,
  audit,
}: ConnectionStoryDetailsFragment) {
  const lastRead = jobs.find(({ finishedAt }) => finishedAt !== null);
  const grant = grants.find(({ status }) => status === 'LIVE');
  const endReason = connection?.status === 'RECONNECT_REQUIRED' ? grants[0]?.endReason : undefined;
  return [
    ...attempts.map(({ id, finishedAt, createdAt, status, resultMessage, reconnectConnectionId }) => ({
      at: finishedAt ?? createdAt,
      title: (
        <InternalLink href={`/attempts/${id}`}>
          {`${reconnectConnectionId === null ? 'Connect' : 'Reconnect'}: ${ATTEMPT_STATES[status].label}`}
        </InternalLink>
      ),
      text: status === 'COMPLETED' ? null : resultMessage,
      color: ATTEMPT_STATES[status].color,
    })),
    lastRead !== undefined && {
      at: lastRead.finishedAt,
      title: (
        <InternalLink href={`/jobs/${lastRead.id}`}>
          {`${JOB_TITLES[lastRead.kind]}: ${getJobState(lastRead).label}`}
        </InternalLink>
      ),
      text: lastRead.failure?.message,
      color: getJobState(lastRead).color,
    },
    ...audit
      .filter(({ outcome }) => outcome === 'DONE')
      .map((entry) => ({
        at: entry.happenedAt,
        title: toTitle(describeAct(entry.action, [], entry.outcome)[0]),
        text: `By ${formatActor(entry)}.`,
      })),
    connection !== null &&
      connection.status !== 'CONNECTED' &&
      // The audit log names the operator.
      !audit.some(({ action, outcome }) => action === 'disconnectConnection' && outcome === 'DONE') && {
        at: connection.changedAt,
        title: toTitle(getConnectionState(connection).label),
        text: connection.disconnectReason ? (
          <>
            Reason: <code>{connection.disconnectReason}</code>
          </>
        ) : endedByJobId ? (
          <>
            Its grant was ended by{' '}
            <InternalLink isInline href={`/jobs/${endedByJobId}`}>
              a disconnect of another connection
            </InternalLink>{' '}
            of the same account.
          </>
        ) : (
          endReason
        ),
        color: getConnectionState(connection).color,
      },
    ...receipts.map((job) => ({
      at: job.finishedAt,
      title: `${JOB_TITLES[job.kind]}: ${getJobState(job).label}`,
      text: job.failure?.message ?? describeRecovery(job),
      color: getJobState(job).color,
    })),
    { at: connection?.nextRetryAt, title: 'Next scan', color: 'blue' },
    { at: connection?.erasesAt, title: 'Will be erased', color: 'red' },
    {
      at: grant?.refreshExpiresAt,
      title: 'Unless a refresh extends it, the consent ends, and the person must reconnect',
      color: 'orange',
    },
  ];
}

const compareRevokeFirst = (one: JobDetailsFragment, other: JobDetailsFragment) =>
  Number(isRevokeJob(other)) - Number(isRevokeJob(one));

/** The state of the connection in one sentence. */
function Summary({ story: { connection, receipts, grants, endedByJobId } }: { story: ConnectionStoryDetailsFragment }) {
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
  const { meaning } = getConnectionState(connection);
  // The platform's answer is not the cause where another disconnect has ended the grant: the timeline names it.
  const isEndedHere = connection.status === 'RECONNECT_REQUIRED' && endedByJobId === null;
  const endReason = isEndedHere ? grants[0]?.endReason : undefined;
  return <Text>{[meaning, endReason].filter(Boolean).join(' ')}</Text>;
}

interface DetailsProps {
  readonly connection: ConnectionDetailsFragment;
  readonly alsoEnds: readonly string[];
}

const Details = ({ connection, alsoEnds }: DetailsProps) => (
  <DetailsPanel
    of={[
      ['Account', <AccountName key="account" of={connection} />],
      ['Platform', <PlatformName key="platform" of={connection.provider} />],
      ['App', <AppLink key="app" id={connection.appId} name={connection.appName} />],
      ['Tenant', connection.tenantKey],
      ['Subject', <PersonLink key="person" of={{ ...connection, connectionId: connection.id }} />],
      ['Status since', <Time key="since" at={connection.changedAt} />],
      [
        'Its app can read it',
        connection.readErrorCode === null ? (
          'yes'
        ) : (
          <>
            no <Code>{connection.readErrorCode}</Code>
          </>
        ),
      ],
      [
        'Posts',
        connection.status === 'CONNECTED' && <StateDot key="sync" state={SYNC_STATES[connection.syncStatus]} />,
      ],
      [
        'Its disconnect also ends',
        alsoEnds.length > 0 &&
          alsoEnds.map((id) => <ShortId key={id} id={id} href={`/connections/${id}`} of="connection" />),
      ],
      ['Last full scan', connection.lastSuccessfulSyncAt && <Time at={connection.lastSuccessfulSyncAt} />],
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
        'Registration',
        <InternalLink key="r" href={`/registrations/${connection.registrationId}`}>
          {connection.registrationLabel}
        </InternalLink>,
      ],
      [
        'Temporal UI',
        connection.workflowsUrl && <TemporalLink url={connection.workflowsUrl}>View its workflows</TemporalLink>,
      ],
    ]}
  />
);
