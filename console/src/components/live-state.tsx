import { Alert, Paper, Text } from '@mantine/core';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { LiveStateDocument, type LiveStateQuery } from '../generated/operations.ts';
import { formatCount } from '../texts/format.ts';
import { STATE_TEXTS, STEP_TEXTS, WAIT_TEXTS } from '../texts/live-state.ts';
import { DetailsList } from './details-list.tsx';
import { Section } from './page.tsx';
import { QueryState } from './query-state.tsx';
import { Age, TimeUntil } from './time.tsx';

type State = LiveStateQuery['liveState'];

/** Temporal's state of an attempt, job or bulk disconnect under way, asked again while the page is open and visible. */
export function LiveState({ id }: { id: string }) {
  const query = useAdminQuery(LiveStateDocument, { id }, { pollMs: SLOW_POLL_MS });
  const state = query.data?.liveState;
  return (
    <Section
      title="In Temporal now"
      lead="The workflow itself answers. The rest of this page shows the row in the database."
    >
      <QueryState of={query} />
      {state && (
        <>
          {state.failing && (
            <Alert color="red" title="The workflow cannot continue">
              Temporal reports that its tasks fail or time out: a defect, a history that does not replay, or a worker
              that does not answer. It continues once a task succeeds. See “A workflow cannot continue” in the runbook.
            </Alert>
          )}
          {state.disagreement !== null && (
            <Alert color="orange" title="Row and workflow disagree">
              {state.disagreement}
            </Alert>
          )}
          <Paper withBorder p="md">
            <DetailsList
              labelWidth={110}
              of={[
                ['Workflow', STATE_TEXTS[state.state]],
                ['Step', state.state === 'RUNNING' && <Step of={state} />],
                ['Waits for', state.progress?.waitingFor && <Wait of={state.progress} />],
                ['Last failure', state.progress?.lastFailure && <Failed of={state.progress} />],
                ['Parts', state.progress?.total != null && `${state.progress.done} of ${state.progress.total}`],
                ['Activities', state.pendingActivities.length > 0 && <Activities of={state} />],
                ['History', state.historyLength !== null && formatCount(state.historyLength, 'event')],
                [
                  'Worker build',
                  state.workerBuild && <span title={state.workerBuild}>{shortenBuild(state.workerBuild)}</span>,
                ],
              ]}
            />
          </Paper>
        </>
      )}
    </Section>
  );
}

/** `@temporalio/worker@1.24.0+89c7c9c8` for a build that ends with a digest of 64 digits. */
const shortenBuild = (build: string): string => build.replace(/([0-9a-f]{8})[0-9a-f]{24,}$/, '$1');

const Step = ({ of: { progress } }: { of: State }) =>
  progress === null ? (
    'Not known: no worker answered within a second'
  ) : (
    <>
      {STEP_TEXTS[progress.step]}, for <Age since={progress.since} />
    </>
  );

type Progress = NonNullable<State['progress']>;

const Wait = ({ of: { waitingFor, waitingUntil } }: { of: Progress }) => (
  <>
    {waitingFor && WAIT_TEXTS[waitingFor]}
    {waitingUntil !== null && (
      <>
        {' '}
        (<TimeUntil at={waitingUntil} /> left)
      </>
    )}
  </>
);

const Failed = ({ of: { lastFailure, tries } }: { of: Progress }) => (
  <>
    {lastFailure?.message} <code>{lastFailure?.code}</code>
    {tries > 0 && `, ${tries === 1 ? '1 try' : `${tries} tries`}`}
  </>
);

const Activities = ({ of: { pendingActivities } }: { of: State }) =>
  pendingActivities.map(({ name, attempt, lastFailureType, nextRetryAt }) => (
    <Text key={name} size="sm" component="div">
      <code>{name}</code>, attempt {attempt}
      {lastFailureType !== null && `, last failed with ${lastFailureType}`}
      {nextRetryAt !== null && (
        <>
          , next in <TimeUntil at={nextRetryAt} />
        </>
      )}
    </Text>
  ));
