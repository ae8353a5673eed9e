import { useParams } from 'wouter';
import { useAct, useAsk } from '../ask/hooks.ts';
import { CALM_MS } from '../ask/pace.ts';
import { CancelAttemptDocument, type ConnectSessionStatus, OneAttemptDocument } from '../generated/operations.ts';
import { ActButton } from '../parts/act-button.tsx';
import { AppName } from '../parts/app-name.tsx';
import { State } from '../parts/badges.tsx';
import { Facts } from '../parts/facts.tsx';
import { Copied, TemporalLink, To } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Time } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';

const UNFINISHED: readonly ConnectSessionStatus[] = ['CREATED', 'AUTHORIZING', 'EXCHANGING'];

export function Attempt() {
  const { id } = useParams<{ id: string }>();
  const { data, problem, again } = useAsk(OneAttemptDocument, { id }, { everyMs: CALM_MS });
  const cancel = useAct(CancelAttemptDocument);
  const attempt = data?.attempt;
  return (
    <Page
      title={attempt ? `Attempt at ${attempt.provider}` : 'Attempt'}
      actions={
        attempt &&
        UNFINISHED.includes(attempt.status) && (
          <ActButton
            operation="cancelAttempt"
            label="Call it off…"
            color="red"
            variant="outline"
            confirm={{
              title: 'Call this attempt off',
              action: 'Call it off',
              isDanger: true,
              text: 'The person has to begin again. A grant that comes of it is given back.',
            }}
            act={async () => (await cancel({ id })).problem}
            done="Called off."
          />
        )
      }
    >
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      {attempt === undefined && !problem && <Waiting />}
      {attempt && (
        <Facts
          of={[
            ['Attempt', <Copied key="id" text={attempt.id} what="the attempt's id" />],
            ['Outcome', <State key="status" of={attempt.status} />],
            ['Why', attempt.resultMessage],
            ['Result code', attempt.resultCode],
            ['To be done', attempt.creatorAction && 'The person has to remove the app at the provider by hand.'],
            ['Connection', attempt.connectionId && <Story id={attempt.connectionId} />],
            ['Was to renew', attempt.reconnectConnectionId && <Story id={attempt.reconnectConnectionId} />],
            ['Asked for', attempt.capabilities.join(', ')],
            ['App', <AppName key="app" id={attempt.appId} name={attempt.appName} />],
            [
              'Registration',
              <To key="r" href={`/registrations/${attempt.registrationId}`}>
                {attempt.registrationId}
              </To>,
            ],
            ['Begun', <Time key="begun" at={attempt.createdAt} />],
            ['Ends by', <Time key="ends" at={attempt.expiresAt} />],
            ['Ended', attempt.finishedAt && <Time at={attempt.finishedAt} />],
            ['Workflow', <Copied key="workflow" text={attempt.workflowId} what="the workflow's id" />],
            [
              'Temporal UI',
              attempt.workflowUrl && <TemporalLink url={attempt.workflowUrl}>Open the workflow</TemporalLink>,
            ],
            ['Correlation id', <Copied key="correlation" text={attempt.correlationId} what="the correlation id" />],
          ]}
        />
      )}
    </Page>
  );
}

const Story = ({ id }: { id: string }) => <To href={`/connections/${id}`}>{id}</To>;
