import { Text } from '@mantine/core';
import { useParams } from 'wouter';
import { useAct, useAsk } from '../ask/hooks.ts';
import { CALM_MS, HURRIED_MS } from '../ask/pace.ts';
import {
  type ConnectionStatus,
  DisconnectDocument,
  type LinkFragment,
  OneConnectionDocument,
  type StoryFragment,
  type WorkFragment,
} from '../generated/operations.ts';
import { ActButton } from '../parts/act-button.tsx';
import { AppName } from '../parts/app-name.tsx';
import { AttemptRows } from '../parts/attempt-rows.tsx';
import { AuditRows } from '../parts/audit-rows.tsx';
import { State } from '../parts/badges.tsx';
import { Facts } from '../parts/facts.tsx';
import { JobCard } from '../parts/job-card.tsx';
import { Copied, TemporalLink, To } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { ProofButton } from '../parts/proof-button.tsx';
import { Nothing, Rows } from '../parts/rows.tsx';
import { Age, Time, Until } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { usePushes } from '../pushes.tsx';
import { isOpen, isRevoke } from '../words/jobs.ts';

/** All there is to tell of one connection, on one page, also when nothing is left of it but its receipts. */
export function Connection() {
  const { id } = useParams<{ id: string }>();
  const { underWay } = usePushes();
  const { data, problem, again } = useAsk(OneConnectionDocument, { id }, { everyMs: underWay ? HURRIED_MS : CALM_MS });
  const story = data?.connection;
  return (
    <Page
      title={story?.connection ? `Connection at ${story.connection.provider}` : 'Connection'}
      lead={<Copied text={id} what="the connection's id" />}
      actions={story && <Actions story={story} />}
    >
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      {story === undefined && !problem && <Waiting />}
      {story && <Story story={story} />}
    </Page>
  );
}

const DISCONNECTABLE: readonly ConnectionStatus[] = ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'];

function Actions({ story: { id, connection } }: { story: StoryFragment }) {
  const disconnect = useAct(DisconnectDocument);
  if (connection === null) return <ProofButton connectionId={id} />;
  if (!DISCONNECTABLE.includes(connection.status)) return null;
  return (
    <ActButton
      operation="disconnectConnection"
      label="Disconnect…"
      color="red"
      variant="outline"
      confirm={{
        title: 'Disconnect this connection',
        action: 'Disconnect',
        isDanger: true,
        text: 'Access stops at once, the grant is revoked at the provider, and all that is held is erased. Only the person can connect again.',
      }}
      act={async () => (await disconnect({ id })).problem}
      done="Disconnected. The receipts show how far it has come."
    />
  );
}

const Story = ({ story }: { story: StoryFragment }) => (
  <>
    <Summary story={story} />
    {story.receipts.length > 0 && (
      <Section title="Letting go" lead="The two receipts of its disconnect: first the revoke, then the erase.">
        {[...story.receipts].sort(revokeFirst).map((job) => (
          <JobCard key={job.id} job={job} inStory />
        ))}
      </Section>
    )}
    {story.connection && <About connection={story.connection} />}
    <Section title="Grants" lead="Each is one consent. Tokens are never shown: the api cannot open them.">
      <Rows
        caption="Grants"
        items={story.grants}
        idOf={({ id }) => id}
        none="No grant is left."
        columns={[
          { name: 'State', cell: ({ status }) => <State of={status} /> },
          { name: 'Obtained', cell: ({ obtainedAt }) => <Time at={obtainedAt} /> },
          { name: 'Permissions', cell: ({ permissions }) => permissions.join(', ') || '–' },
          {
            name: 'Access lapses',
            cell: ({ accessExpiresAt }) => (accessExpiresAt ? <Time at={accessExpiresAt} /> : '–'),
          },
          {
            name: 'Consent lapses',
            cell: ({ refreshExpiresAt }) => (refreshExpiresAt ? <Time at={refreshExpiresAt} /> : 'no fixed end'),
          },
          {
            name: 'Refreshed',
            cell: ({ refreshCount, refreshClaimedAt }) => (
              <>
                {refreshCount} times
                {refreshClaimedAt !== null && (
                  <>
                    ; one under way for <Age since={refreshClaimedAt} />
                  </>
                )}
              </>
            ),
          },
        ]}
      />
    </Section>
    <Section title="Attempts" lead="Those that made or renewed it, or were to.">
      <AttemptRows attempts={story.attempts} none="No attempt is left." />
    </Section>
    <Section title="Reads">
      {story.jobs.length === 0 && (
        <Nothing>{story.connection === null ? 'No read is left.' : 'Nothing has been read of it.'}</Nothing>
      )}
      {story.jobs.slice(0, READS_SHOWN).map((job) => (
        <JobCard key={job.id} job={job} inStory />
      ))}
      {story.jobs.length > READS_SHOWN && story.connection !== null && (
        <Text size="sm">and {story.jobs.length - READS_SHOWN} more, older ones.</Text>
      )}
    </Section>
    <Section title="Audit" lead="What operators did to it, and to its jobs and attempts.">
      <AuditRows entries={story.audit} none="No operator has touched it." />
    </Section>
  </>
);

const READS_SHOWN = 5;

const revokeFirst = (one: WorkFragment, other: WorkFragment) => Number(isRevoke(other)) - Number(isRevoke(one));

/** The whole story in one sentence. */
function Summary({ story: { connection, receipts } }: { story: StoryFragment }) {
  const revoke = receipts.find(({ kind }) => kind === 'REVOKE');
  const erase = receipts.find(({ kind }) => kind === 'ERASE');
  if (connection === null) {
    return (
      <Text>
        It has been erased
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
  if (revoke && isOpen(revoke)) {
    return <Text>It is being disconnected: its app has no access any more, and its grant is still to be revoked.</Text>;
  }
  if (erase && isOpen(erase)) return <Text>Its grant is settled; what is held of it is being deleted.</Text>;
  return <Text>{STANDINGS[connection.status]}</Text>;
}

const STANDINGS: Readonly<Record<ConnectionStatus, string>> = {
  CONNECTED: 'It is connected.',
  SUSPENDED: 'It is on hold while an account of the same person is being disconnected.',
  RECONNECT_REQUIRED: 'Its grant has ended at the provider. Only the person can connect again.',
  DISCONNECTED: 'It is being disconnected.',
  DELETING: 'What is held of it is being deleted.',
};

const About = ({ connection }: { connection: LinkFragment }) => (
  <Section title="Whose, and how it stands">
    <Facts
      of={[
        ['Status', <State key="status" of={connection.status} />],
        ['Since', <Time key="since" at={connection.changedAt} />],
        ['Connected', <Time key="made" at={connection.createdAt} />],
        ['A read answers', connection.readFault],
        ['App', <AppName key="app" id={connection.appId} name={connection.appName} />],
        ['Tenant', connection.tenantKey],
        ['Subject', connection.externalSubjectId],
        [
          'Registration',
          <To key="r" href={`/registrations/${connection.registrationId}`}>
            {connection.registrationId}
          </To>,
        ],
        ['Posts', <State key="sync" of={connection.syncStatus} />],
        ['Last read', connection.lastSuccessfulSyncAt && <Time at={connection.lastSuccessfulSyncAt} />],
        ['Read again in', connection.nextRetryAt && <Until at={connection.nextRetryAt} />],
        [
          'Capabilities',
          connection.capabilities.length > 0 &&
            connection.capabilities
              .map(({ capability, availability, reason }) =>
                availability === 'AVAILABLE' ? capability : `${capability} (${reason ?? availability})`,
              )
              .join(', '),
        ],
        [
          'Temporal UI',
          connection.workflowsUrl && <TemporalLink url={connection.workflowsUrl}>All its workflows</TemporalLink>,
        ],
      ]}
    />
  </Section>
);
