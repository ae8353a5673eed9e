import { Group } from '@mantine/core';
import { useParams } from 'wouter';
import { isUnfinishedAttempt, PLATFORM_NAMES } from '../../../src/basics/codes.ts';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { MutationButton } from '../components/action-button.tsx';
import { AppLink } from '../components/app-link.tsx';
import { AttemptResult } from '../components/attempt-table.tsx';
import { DetailColumns } from '../components/detail-columns.tsx';
import { DetailsPanel } from '../components/details-list.tsx';
import { CopyableText, InternalLink } from '../components/links.tsx';
import { LiveState } from '../components/live-state.tsx';
import { PersonLink } from '../components/names.tsx';
import { Page, Section } from '../components/page.tsx';
import { PlatformName } from '../components/platform.tsx';
import { QueryState } from '../components/query-state.tsx';
import { RegistrationStatus } from '../components/registration-status.tsx';
import { ShortId } from '../components/short-id.tsx';
import { StateBadge } from '../components/status-badge.tsx';
import { EventTimeline, type TimelineEvent } from '../components/timeline.tsx';
import { WorkflowId } from '../components/workflow-id.tsx';
import {
  type AttemptDetailsFragment,
  AttemptDocument,
  CancelAttemptDocument,
  RegistrationDocument,
} from '../generated/operations.ts';
import { toTitle } from '../texts/format.ts';
import { describeCause } from '../texts/jobs.ts';
import { ATTEMPT_STATES, CAPABILITY_MEANINGS, toRefusedBrowser } from '../texts/states.ts';

export function Attempt() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(AttemptDocument, { id }, { pollMs: SLOW_POLL_MS });
  const attempt = query.data?.attempt;
  return (
    <Page
      title={attempt ? `Attempt at ${PLATFORM_NAMES[attempt.provider]}` : 'Attempt'}
      badge={attempt && <StateBadge state={ATTEMPT_STATES[attempt.status]} />}
      lead={<CopyableText text={id} name="the attempt's id" />}
      actions={
        attempt &&
        isUnfinishedAttempt(attempt.status) && (
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
        <DetailColumns details={<Details of={attempt} />}>
          <Section title="Timeline">
            <EventTimeline name="What happened in this attempt" of={listEvents(attempt)} />
          </Section>
          {attempt.workflowId && isUnfinishedAttempt(attempt.status) && <LiveState id={attempt.id} />}
        </DetailColumns>
      )}
    </Page>
  );
}

/** A list of its own: the parts of the runbook about an attempt that failed. */
const RUNBOOK: Readonly<Partial<Record<string, string>>> = {
  EXCHANGE_FAILED: 'Code exchanges fail',
  CLIENT_REFUSED: 'A provider refuses our client',
  PROVIDER_UNAVAILABLE: 'A platform fails',
};

function listEvents(attempt: AttemptDetailsFragment): TimelineEvent[] {
  const { status, creatorAction, connectionId, finishedAt } = attempt;
  const state = ATTEMPT_STATES[status];
  const cause = describeCause(attempt);
  return [
    {
      at: attempt.createdAt,
      title: 'The app asked for a link',
      text: attempt.reconnectConnectionId === null ? null : 'To reconnect an account.',
      color: 'blue',
    },
    { at: attempt.codeArrivedAt, title: 'The person came back with a code', color: 'blue' },
    toRefusedBrowser(attempt),
    {
      at: status === 'EXPIRED' ? (finishedAt ?? attempt.expiresAt) : finishedAt,
      title: toTitle(state.label),
      color: state.color,
      text: (
        <>
          <AttemptResult of={attempt} />
          {cause !== null && (
            <div>
              Last answer: {cause}{' '}
              {attempt.lastAnswer?.startsWith('HTTP_2') && !attempt.lastAnswerCode && (
                <InternalLink isInline href="/unknown-answers">
                  See unknown answers
                </InternalLink>
              )}
            </div>
          )}
          {attempt.resultCode !== null && RUNBOOK[attempt.resultCode] !== undefined && (
            <div>If it fails for others too: docs/runbook.md, “{RUNBOOK[attempt.resultCode]}”.</div>
          )}
          {status === 'EXPIRED' && (
            <div>
              The usual causes of an error page at {PLATFORM_NAMES[attempt.provider]}: docs/provider-checklists.md.
            </div>
          )}
          {creatorAction !== null && (
            <div>
              A grant that we have no tokens for may exist. If the person does not connect again, they should remove the
              app at the platform.
            </div>
          )}
          {connectionId !== null && (
            <div>
              <InternalLink href={`/connections/${connectionId}`}>Open the connection</InternalLink>
            </div>
          )}
        </>
      ),
    },
    ...(isUnfinishedAttempt(status) ? [{ at: attempt.expiresAt, title: 'Expires', text: state.meaning }] : []),
  ];
}

const Details = ({ of: attempt }: { of: AttemptDetailsFragment }) => (
  <DetailsPanel
    of={[
      ['Platform', <PlatformName key="platform" of={attempt.provider} />],
      ['App', <AppLink key="app" id={attempt.appId} name={attempt.appName} />],
      ['Tenant', attempt.tenantKey],
      ['Subject', <PersonLink key="person" of={{ ...attempt, attemptId: attempt.id }} />],
      ['Reconnects', attempt.reconnectConnectionId && <ConnectionLink id={attempt.reconnectConnectionId} />],
      ['Connection', attempt.connectionId && <ConnectionLink id={attempt.connectionId} />],
      ['Capabilities', attempt.capabilities.map((one) => CAPABILITY_MEANINGS[one] ?? one).join(', ')],
      ['Registration', <Registration key="r" of={attempt} />],
      ['Workflow', <WorkflowId key="workflow" of={attempt} />],
      ['Correlation id', <ShortId key="correlation" id={attempt.correlationId} of="request" />],
    ]}
  />
);

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

const ConnectionLink = ({ id }: { id: string }) => <ShortId id={id} of="connection" href={`/connections/${id}`} />;
