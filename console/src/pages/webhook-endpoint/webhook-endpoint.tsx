import { Alert, Stack, TextInput } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import { useAdminMutation, useAdminQuery } from '../../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../../admin-client/polling.ts';
import { ActionButton, MutationButton } from '../../components/action-button.tsx';
import { AppLink } from '../../components/app-link.tsx';
import { DetailsList } from '../../components/details-list.tsx';
import { Overtaken, useDraft } from '../../components/draft.tsx';
import { EventTypeCheckboxes, findNoTypeFault, WEBHOOK_FIELDS } from '../../components/event-type-checkboxes.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
import { CopyableText, TemporalLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { PastFailures } from '../../components/past-failures.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { Age, Time, useNow } from '../../components/time.tsx';
import { WebhookEndpointStatus } from '../../components/webhook-endpoints.tsx';
import {
  ChangeWebhookEndpointDocument,
  DisableWebhookEndpointDocument,
  EnableWebhookEndpointDocument,
  RemoveWebhookEndpointDocument,
  SendTestWebhookDocument,
  type WebhookDisabledReason,
  type WebhookEndpointDetailsFragment,
  WebhookEndpointDocument,
} from '../../generated/operations.ts';
import { findUrlFault } from '../../texts/field-problems.ts';
import { formatCount } from '../../texts/format.ts';
import { Deliveries } from './deliveries.tsx';
import { Secrets } from './secrets.tsx';

interface EndpointProps {
  readonly endpoint: WebhookEndpointDetailsFragment;
}

/** One webhook endpoint: its status, its settings and its deliveries. */
export function WebhookEndpoint() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(WebhookEndpointDocument, { id }, { pollMs: SLOW_POLL_MS });
  const endpoint = query.data?.webhookEndpoint;
  return (
    <Page
      title="Webhook endpoint"
      lead={endpoint && <CopyableText text={endpoint.url} name="the URL" />}
      actions={endpoint && <Actions endpoint={endpoint} />}
    >
      <QueryState of={query} />
      {endpoint && (
        <>
          <Trouble endpoint={endpoint} />
          <DetailsList
            of={[
              ['Status', <WebhookEndpointStatus key="status" of={endpoint} />],
              ['App', <AppLink key="app" id={endpoint.appId} name={endpoint.appName} />],
              ['Endpoint', <CopyableText key="id" text={id} name="the endpoint's id" />],
              [
                'Last outage (3 tries or more)',
                endpoint.pastFailures && <PastFailures key="past" of={endpoint.pastFailures} />,
              ],
              ['Waiting events', endpoint.waiting && <Waiting key="waiting" of={endpoint.waiting} />],
              ['Created', <Time key="created" at={endpoint.createdAt} />],
              [
                'Temporal UI',
                endpoint.workflowUrl && <TemporalLink url={endpoint.workflowUrl}>Open the workflow</TemporalLink>,
              ],
            ]}
          />
          <PageTabs
            tabs={[
              { title: 'Deliveries', content: <Deliveries endpoint={endpoint} /> },
              { title: 'Secrets', content: <Secrets endpoint={endpoint} /> },
              { title: 'URL and events', content: <Settings endpoint={endpoint} /> },
            ]}
          />
        </>
      )}
    </Page>
  );
}

/** The service counts so many at most. */
const MOST_COUNTED = 1_000;

const Waiting = ({ of: { count, since } }: { of: NonNullable<WebhookEndpointDetailsFragment['waiting']> }) => (
  <>
    {formatCount(count, 'event')}
    {count >= MOST_COUNTED && ' or more'}, the oldest of <Time at={since} />
  </>
);

const DISABLED: Readonly<Record<WebhookDisabledReason, string>> = {
  OPERATOR: 'An operator disabled it. New events are not kept for it; you can send them again after you enable it.',
  GONE: 'It answered 410 Gone. New events are not kept for it; you can send them again after you enable it.',
  FAILING: 'It accepted no event for 3 days. Events wait, and are sent when you enable it.',
};

/** Explains why the endpoint receives nothing, and the repair. */
function Trouble({ endpoint: { disabledReason, failingSince, failures, lastAnswer, pausedUntil } }: EndpointProps) {
  const nowMs = useNow();
  if (disabledReason !== null) {
    return (
      <Alert color="red" title="This endpoint is disabled" role="status">
        {DISABLED[disabledReason]}
      </Alert>
    );
  }
  if (failingSince === null) return null;
  return (
    <Alert color="orange" title="This endpoint is failing" role="status">
      {formatCount(failures, 'try', 'tries')} failed for <Age since={failingSince} />
      {lastAnswer !== null && `, the last with ${lastAnswer.replace(/^HTTP_/, 'HTTP ')}`}. The service keeps trying, and
      disables the endpoint after 3 days.
      {pausedUntil !== null && (
        <>
          {Date.parse(pausedUntil) > nowMs && (
            <>
              {' '}
              It pauses until <Time at={pausedUntil} />.
            </>
          )}{' '}
          Once it works again, send a test event: if the endpoint accepts it, the waiting events follow at once.
        </>
      )}
    </Alert>
  );
}

function Actions({ endpoint: { id, appId, enabled } }: EndpointProps) {
  const [, navigate] = useLocation();
  return (
    <>
      {enabled ? (
        <>
          <MutationButton
            mutation={SendTestWebhookDocument}
            label="Send a test event"
            variables={{ id }}
            onDone={({ sendTestWebhook: { id: deliveryId } }) => navigate(`/webhooks/deliveries/${deliveryId}`)}
            successMessage="The test event is on its way. This page shows the answer."
          />
          <MutationButton
            mutation={DisableWebhookEndpointDocument}
            label="Disable…"
            color="red"
            variant="outline"
            confirm={{
              title: 'Disable this endpoint',
              action: 'Disable',
              isDanger: true,
              text: 'The service sends nothing to it, and keeps no new events for it. After you enable it, you can send the events since then again.',
            }}
            variables={{ id }}
            successMessage="Endpoint disabled."
          />
        </>
      ) : (
        <MutationButton
          mutation={EnableWebhookEndpointDocument}
          label="Enable"
          variant="filled"
          variables={{ id }}
          successMessage="Endpoint enabled. Waiting events are sent now."
        />
      )}
      <MutationButton
        mutation={RemoveWebhookEndpointDocument}
        variables={{ id }}
        label="Remove…"
        color="red"
        variant="outline"
        confirm={{
          title: 'Remove this endpoint',
          action: 'Remove',
          isDanger: true,
          text: 'Its secrets are deleted, and waiting events are not sent. Its deliveries stay in the list for 30 days.',
        }}
        onDone={() => navigate(`/apps/${appId}#webhooks`)}
        successMessage="Endpoint removed."
      />
    </>
  );
}

function Settings({ endpoint: { id, url: storedUrl, eventTypes } }: EndpointProps) {
  const change = useAdminMutation(ChangeWebhookEndpointDocument);
  const draft = useDraft<{ url: string; eventTypes: readonly string[] }>({ url: storedUrl, eventTypes });
  const { errorOf, clear, submit } = useFieldErrors(WEBHOOK_FIELDS);
  const { values } = draft;
  return (
    <Section title="URL and events" lead="Waiting events go to the new URL. The types apply to later events.">
      <form onSubmit={(event) => event.preventDefault()}>
        <Stack align="flex-start">
          <TextInput
            label="URL"
            w="100%"
            maw={640}
            error={errorOf('url')}
            value={values.url}
            onChange={({ currentTarget }) => {
              clear('url');
              draft.set('url', currentTarget.value);
            }}
          />
          <EventTypeCheckboxes
            selected={values.eventTypes}
            onChange={(chosen) => {
              clear('eventTypes');
              draft.set('eventTypes', chosen);
            }}
            error={errorOf('eventTypes')}
          />
          <Overtaken
            draft={draft}
            describe={{
              url: ['The URL', String],
              eventTypes: ['The list', (types) => formatCount(types.length, 'type')],
            }}
          />
          <ActionButton
            type="submit"
            operation="changeWebhookEndpoint"
            label="Save"
            run={() =>
              submit(
                { url: findUrlFault(values.url, 'webhook'), eventTypes: findNoTypeFault(values.eventTypes) },
                async () => (await change({ id, url: values.url.trim(), eventTypes: [...values.eventTypes] })).problem,
              )
            }
            successMessage="Saved."
          />
        </Stack>
      </form>
    </Section>
  );
}
