import { Progress, Text } from '@mantine/core';
import { useParams } from 'wouter';
import { useAsk } from '../ask/hooks.ts';
import { HURRIED_MS } from '../ask/pace.ts';
import { OneDisconnectDocument } from '../generated/operations.ts';
import { AppName } from '../parts/app-name.tsx';
import { Facts } from '../parts/facts.tsx';
import { Copied, TemporalLink, To } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Time } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { ofWhat } from './disconnects.tsx';

/** A disconnect of many, as it comes to its end. */
export function Disconnect() {
  const { id } = useParams<{ id: string }>();
  const { data, problem, again } = useAsk(OneDisconnectDocument, { id }, { everyMs: HURRIED_MS });
  const run = data?.bulkDisconnect;
  return (
    <Page title="Disconnect of many" lead={run && <>Of {ofWhat(run)}</>}>
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      {run === undefined && !problem && <Waiting />}
      {run && (
        <>
          <div role="status">
            <Text>
              {run.disconnected} of {run.total} connections are cut off; of these {run.disconnected - run.unsettled} are
              revoked and erased{run.revokesFailed > 0 && `, ${run.revokesFailed} with a revoke that failed`}.
            </Text>
          </div>
          <Progress.Root size="lg">
            <Progress.Section
              value={(100 * (run.disconnected - run.unsettled)) / Math.max(1, run.total)}
              color="teal"
              aria-label="Revoked and erased"
            />
            <Progress.Section
              value={(100 * run.unsettled) / Math.max(1, run.total)}
              color="indigo"
              aria-label="Cut off, to be settled"
            />
          </Progress.Root>
          <Facts
            of={[
              ['Run', <Copied key="id" text={run.id} what="the run's id" />],
              ['App', run.appId && run.appName && <AppName id={run.appId} name={run.appName} />],
              ['Begun', <Time key="begun" at={run.startedAt} />],
              ['Last cut off', run.finishedAt && <Time at={run.finishedAt} />],
              [
                'What is stuck of it',
                <To key="stuck" href={`/jobs?stuck=true&kind=REVOKE${run.appId === null ? '' : `&app=${run.appId}`}`}>
                  Stuck revokes
                </To>,
              ],
              ['Workflow', <Copied key="workflow" text={run.workflowId} what="the workflow's id" />],
              ['Temporal UI', run.workflowUrl && <TemporalLink url={run.workflowUrl}>Open the workflow</TemporalLink>],
            ]}
          />
        </>
      )}
    </Page>
  );
}
