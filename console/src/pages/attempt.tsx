import { Group } from '@mantine/core';
import { useParams } from 'wouter';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { MutationButton } from '../components/action-button.tsx';
import { AppLink } from '../components/app-link.tsx';
import { DetailsList } from '../components/details-list.tsx';
import { CopyableText, InternalLink, TemporalLink } from '../components/links.tsx';
import { LiveState } from '../components/live-state.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { RegistrationStatus } from '../components/registration-status.tsx';
import { ExplainedState } from '../components/status-badge.tsx';
import { Time } from '../components/time.tsx';
import { WorkflowId } from '../components/workflow-id.tsx';
import {
  type AttemptDetailsFragment,
  AttemptDocument,
  CancelAttemptDocument,
  type ConnectSessionStatus,
  RegistrationDocument,
} from '../generated/operations.ts';
import { describeCause } from '../texts/jobs.ts';
import { ATTEMPT_STATES, CAPABILITY_MEANINGS } from '../texts/states.ts';

const UNFINISHED: readonly ConnectSessionStatus[] = ['CREATED', 'AUTHORIZING', 'EXCHANGING'];

export function Attempt() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(AttemptDocument, { id }, { pollMs: SLOW_POLL_MS });
  const attempt = query.data?.attempt;
  return (
    <Page
      title={attempt ? `Attempt at ${formatProvider(attempt.provider)}` : 'Attempt'}
      actions={
        attempt &&
        UNFINISHED.includes(attempt.status) && (
          <MutationButton
            mutation={CancelAttemptDocument}
            label="Cancel attempt…"
            color="red"
            variant="outline"
            confirm={{
              title: 'Cancel this attempt',
              action: 'Cancel attempt',
              isDanger: true,
              text: 'The person must start again. If they have already granted access, that grant is revoked.',
            }}
            variables={{ id }}
            successMessage="Attempt canceled."
          />
        )
      }
    >
      <QueryState of={query} />
      {attempt && (
        <DetailsList
          of={[
            ['Attempt', <CopyableText key="id" text={attempt.id} name="the attempt's id" />],
            ['Status', <ExplainedState key="status" state={ATTEMPT_STATES[attempt.status]} />],
            ['Reason', attempt.resultMessage],
            ['Result code', attempt.resultCode],
            ['What came back', describeCause(attempt)],
            ['Action needed', attempt.creatorAction && 'The person must remove the app at the provider.'],
            ['Connection', attempt.connectionId && <ConnectionLink id={attempt.connectionId} />],
            ['Reconnects', attempt.reconnectConnectionId && <ConnectionLink id={attempt.reconnectConnectionId} />],
            ['Capabilities', attempt.capabilities.map((one) => CAPABILITY_MEANINGS[one] ?? one).join(', ')],
            ['App', <AppLink key="app" id={attempt.appId} name={attempt.appName} />],
            ['Tenant', attempt.tenantKey],
            ['Subject', attempt.externalSubjectId],
            ['Registration', <Registration key="r" of={attempt} />],
            ['Started', <Time key="begun" at={attempt.createdAt} />],
            ['Expires', <Time key="ends" at={attempt.expiresAt} />],
            ['Ended', attempt.finishedAt && <Time at={attempt.finishedAt} />],
            ['Workflow', <WorkflowId key="workflow" of={attempt} />],
            [
              'Temporal UI',
              attempt.workflowUrl && <TemporalLink url={attempt.workflowUrl}>Open the workflow</TemporalLink>,
            ],
            [
              'Correlation id',
              <CopyableText key="correlation" text={attempt.correlationId} name="the correlation id" />,
            ],
          ]}
        />
      )}
      {attempt?.workflowId && UNFINISHED.includes(attempt.status) && <LiveState id={attempt.id} />}
    </Page>
  );
}

/** Of an attempt that failed also the state of the registration now: it may be why. */
function Registration({ of: { registrationId: id, registrationLabel, status } }: { of: AttemptDetailsFragment }) {
  const { data } = useAdminQuery(RegistrationDocument, { id }, { pause: status !== 'FAILED' });
  return (
    <Group gap="xs">
      <InternalLink href={`/registrations/${id}`}>{registrationLabel}</InternalLink>
      {data?.registration && <RegistrationStatus of={data.registration} />}
    </Group>
  );
}

const ConnectionLink = ({ id }: { id: string }) => <InternalLink href={`/connections/${id}`}>{id}</InternalLink>;
