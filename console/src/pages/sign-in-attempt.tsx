import { useParams } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { AppLink } from '../components/app-link.tsx';
import { DetailsList } from '../components/details-list.tsx';
import { CopyableText, TemporalLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { ExplainedState } from '../components/status-badge.tsx';
import { Time } from '../components/time.tsx';
import { WorkflowId } from '../components/workflow-id.tsx';
import { SignInDocument } from '../generated/operations.ts';
import { describeCause } from '../texts/jobs.ts';
import { SIGN_IN_STATES } from '../texts/states.ts';

/** One sign-in of a person at an OpenID issuer. It is kept for 20 minutes. */
export function SignInAttempt() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(SignInDocument, { id }, { pollMs: SLOW_POLL_MS });
  const signIn = query.data?.signIn;
  return (
    <Page
      title="Sign-in"
      lead="A person's sign-in at an OpenID issuer. It is kept for 20 minutes, without who the person is."
    >
      <QueryState of={query} />
      {signIn && (
        <DetailsList
          of={[
            ['Sign-in', <CopyableText key="id" text={signIn.id} name="the sign-in's id" />],
            ['Status', <ExplainedState key="status" state={SIGN_IN_STATES[signIn.status]} />],
            ['What came back', describeCause(signIn)],
            ['App', <AppLink key="app" id={signIn.appId} name={signIn.appName} />],
            ['Tenant', signIn.tenantKey],
            ['Issuer', signIn.issuer],
            ['Started', <Time key="started" at={signIn.createdAt} />],
            ['Expires', <Time key="expires" at={signIn.expiresAt} />],
            ['Ended', signIn.finishedAt && <Time at={signIn.finishedAt} />],
            ['Fetched by the app', signIn.redeemedAt && <Time at={signIn.redeemedAt} />],
            ['Workflow', <WorkflowId key="workflow" of={signIn} />],
            [
              'Temporal UI',
              signIn.workflowUrl && <TemporalLink url={signIn.workflowUrl}>Open the workflow</TemporalLink>,
            ],
            ['Correlation id', <CopyableText key="c" text={signIn.correlationId} name="the correlation id" />],
          ]}
        />
      )}
    </Page>
  );
}
