import { Progress, Text } from '@mantine/core';
import { useParams } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { FAST_POLL_MS } from '../admin-client/polling.ts';
import { AppLink } from '../components/app-link.tsx';
import { DetailsList } from '../components/details-list.tsx';
import { CopyableText, InternalLink, TemporalLink } from '../components/links.tsx';
import { LiveState } from '../components/live-state.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { BulkDisconnectDocument } from '../generated/operations.ts';
import { formatTarget } from './bulk-disconnects.tsx';

/** The progress of one bulk disconnect. */
export function BulkDisconnect() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(BulkDisconnectDocument, { id }, { pollMs: FAST_POLL_MS });
  const run = query.data?.bulkDisconnect;
  return (
    <Page title="Bulk disconnect" lead={run && <>All connections of {formatTarget(run)}</>}>
      <QueryState of={query} />
      {run && (
        <>
          <div role="status">
            <Text>
              {run.disconnected} of {run.total} connections are disconnected
              {run.outcome &&
                `: ${run.outcome.erased} erased, ${run.outcome.revoked} revoked at the platform, ${run.outcome.leftToPerson} left to the person${run.outcome.ended > 0 ? `, ${run.outcome.ended} whose grant had ended before` : ''}`}
              {run.unsettled > 0 && `, ${run.unsettled} in progress`}
              {run.revokesFailed > 0 && `, ${run.revokesFailed} with a failed revoke`}.
            </Text>
            {run.outcome && run.outcome.leftToPerson > 0 && (
              <Text size="sm" c="dimmed">
                The platform has no revoke, or it failed: these people must remove the app there. Their receipts ask for
                it. <InternalLink href={`/jobs?bulk=${run.id}&left=true`}>See their connections</InternalLink>
              </Text>
            )}
          </div>
          <Progress.Root size="lg">
            <Progress.Section
              value={(100 * (run.disconnected - run.unsettled)) / Math.max(1, run.total)}
              color="teal"
              aria-label="Settled"
            />
            <Progress.Section
              value={(100 * run.unsettled) / Math.max(1, run.total)}
              color="indigo"
              aria-label="Disconnected, not settled"
            />
          </Progress.Root>
          <DetailsList
            of={[
              ['Bulk disconnect', <CopyableText key="id" text={run.id} name="the bulk disconnect's id" />],
              ['App', run.appId && run.appName && <AppLink id={run.appId} name={run.appName} />],
              ['Started', <Time key="begun" at={run.startedAt} />],
              ['Last disconnected', run.finishedAt && <Time at={run.finishedAt} />],
              [
                'Revokes',
                <InternalLink key="revokes" href={`/jobs?bulk=${run.id}&kind=REVOKE`}>
                  See each, with its connection and reason
                </InternalLink>,
              ],
              ['Workflow', <CopyableText key="workflow" text={run.workflowId} name="the workflow's id" />],
              ['Temporal UI', run.workflowUrl && <TemporalLink url={run.workflowUrl}>Open the workflow</TemporalLink>],
            ]}
          />
          {run.finishedAt === null && <LiveState id={run.id} />}
        </>
      )}
    </Page>
  );
}
