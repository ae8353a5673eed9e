import { useParams } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { AppLink } from '../components/app-link.tsx';
import { DetailColumns } from '../components/detail-columns.tsx';
import { DetailsPanel } from '../components/details-list.tsx';
import { CopyableText } from '../components/links.tsx';
import { Page, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { ShortId } from '../components/short-id.tsx';
import { StateBadge } from '../components/status-badge.tsx';
import { EventTimeline, type TimelineEvent } from '../components/timeline.tsx';
import { WorkflowId } from '../components/workflow-id.tsx';
import { SignInDocument, type SignInQuery } from '../generated/operations.ts';
import { toTitle } from '../texts/format.ts';
import { describeCause } from '../texts/jobs.ts';
import { SIGN_IN_STATES, toRefusedBrowser } from '../texts/states.ts';

/** One sign-in of a person at an OpenID issuer. It is kept for 20 minutes. */
export function SignInAttempt() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(SignInDocument, { id }, { pollMs: SLOW_POLL_MS });
  const signIn = query.data?.signIn;
  return (
    <Page
      title="Sign-in"
      badge={signIn && <StateBadge state={SIGN_IN_STATES[signIn.status]} />}
      lead={<CopyableText text={id} name="the sign-in's id" />}
    >
      <QueryState of={query} />
      {signIn && (
        <DetailColumns
          details={
            <DetailsPanel
              of={[
                ['App', <AppLink key="app" id={signIn.appId} name={signIn.appName} />],
                ['Tenant', signIn.tenantKey],
                ['Issuer', signIn.issuer],
                ['Workflow', <WorkflowId key="workflow" of={signIn} />],
                ['Correlation id', <ShortId key="correlation" id={signIn.correlationId} of="request" />],
              ]}
            />
          }
        >
          <Section
            title="Timeline"
            lead="A person's sign-in at an OpenID issuer. It is kept for 20 minutes, without who the person is."
          >
            <EventTimeline name="What happened in this sign-in" of={listEvents(signIn)} />
          </Section>
        </DetailColumns>
      )}
    </Page>
  );
}

function listEvents(signIn: SignInQuery['signIn']): TimelineEvent[] {
  const { label, color, meaning } = SIGN_IN_STATES[signIn.status];
  const cause = describeCause(signIn);
  return [
    { at: signIn.createdAt, title: 'The app asked for a link', color: 'blue' },
    { at: signIn.codeArrivedAt, title: 'The person came back with a code', color: 'blue' },
    toRefusedBrowser(signIn),
    {
      at: signIn.finishedAt,
      title: toTitle(label),
      text: cause === null ? meaning : `${meaning} Last answer: ${cause}`,
      color,
    },
    { at: signIn.redeemedAt, title: 'The app fetched the result', color: 'blue' },
    ...(signIn.finishedAt === null ? [{ at: signIn.expiresAt, title: 'Expires' }] : []),
  ];
}
