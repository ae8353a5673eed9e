import { Button, Code, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { FAST_POLL_MS, SLOW_POLL_MS } from '../admin-client/polling.ts';
import { MutationButton } from '../components/action-button.tsx';
import { DetailColumns } from '../components/detail-columns.tsx';
import { DetailsPanel } from '../components/details-list.tsx';
import { CopyableText } from '../components/links.tsx';
import { Page, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { ShortId } from '../components/short-id.tsx';
import { StateBadge } from '../components/status-badge.tsx';
import { EventTimeline, type TimelineEvent } from '../components/timeline.tsx';
import { EndpointLink } from '../components/webhook-deliveries.tsx';
import {
  RedeliverWebhookDocument,
  WebhookDeliveryDocument,
  type WebhookDeliveryQuery,
} from '../generated/operations.ts';
import { describeTries, getNextTry } from '../texts/deliveries.ts';
import { toTitle } from '../texts/format.ts';
import { getDeliveryState, getState } from '../texts/states.ts';

type Delivery = WebhookDeliveryQuery['webhookDelivery'];

/** One event on its way to one endpoint: its body, and the result of each try. */
export function WebhookDelivery() {
  const { id } = useParams<{ id: string }>();
  const [isAwaited, setIsAwaited] = useState(true);
  const query = useAdminQuery(WebhookDeliveryDocument, { id }, { pollMs: isAwaited ? FAST_POLL_MS : SLOW_POLL_MS });
  const delivery = query.data?.webhookDelivery;
  // A try counts from its start, so `tries` includes one that is still running.
  const isTried = delivery !== undefined && (delivery.status !== 'PENDING' || delivery.lastFailure !== null);
  useEffect(() => setIsAwaited(!isTried), [isTried]);
  return (
    <Page
      title={delivery === undefined ? 'Delivery' : `Delivery of ${delivery.eventType}`}
      badge={delivery && <StateBadge state={getDeliveryState(delivery)} />}
      lead={<CopyableText text={id} name="the delivery's id" />}
      actions={
        delivery && (
          <>
            <Button component={Link} href={`/audit?target=${id}`} variant="subtle">
              View audit entries
            </Button>
            <MutationButton
              mutation={RedeliverWebhookDocument}
              label="Send again"
              variables={{ id }}
              successMessage="The event is sent again, with the same id."
            />
          </>
        )
      }
    >
      <QueryState of={query} />
      {delivery && (
        <DetailColumns details={<DetailsPanel of={listDetails(delivery)} />}>
          <Section title="Timeline" lead={delivery.history.length >= MOST_TRIES && 'It shows the last 20 tries.'}>
            <EventTimeline name="What happened to this delivery" of={listEvents(delivery)} />
          </Section>
          <Section
            title="Body"
            lead={
              <>
                The body that the endpoint receives. The header <Code>webhook-id</Code> has the event's id. The service
                keeps no body of an answer.
              </>
            }
          >
            {delivery.payload === null ? (
              <Text>The event was deleted: events are kept for 30 days.</Text>
            ) : (
              <Code block role="group" aria-label="Body of the event">
                {JSON.stringify(JSON.parse(delivery.payload), null, 2)}
              </Code>
            )}
          </Section>
        </DetailColumns>
      )}
    </Page>
  );
}

/** The service stores the last ones. */
const MOST_TRIES = 20;

/** The event, each try with its answer, and the next one. A try before the event was sent again counts too. */
function listEvents(delivery: Delivery): TimelineEvent[] {
  const state = getState(delivery.status);
  return [
    { at: delivery.occurredAt, title: delivery.eventType, text: 'The event occurred.', color: 'blue' },
    ...delivery.history.map(({ at, httpStatus, durationMs, failure }) => ({
      at,
      title: httpStatus === null ? 'No answer' : `HTTP ${httpStatus}`,
      text: `${failure?.message ?? 'Accepted.'}${durationMs === null ? '' : ` ${durationMs.toLocaleString('en')} ms`}`,
      color: failure === null ? 'teal' : 'red',
    })),
    ...(delivery.status === 'DELIVERED'
      ? []
      : [{ at: delivery.finishedAt, title: toTitle(state.label), text: state.meaning, color: state.color }]),
    {
      at: getNextTry(delivery),
      title: 'Next try',
      color: 'blue',
      text: delivery.waitsForEndpoint && 'Its endpoint pauses after failures until then.',
    },
  ];
}

const listDetails = (delivery: Delivery) =>
  [
    ['Event', <ShortId key="event" id={delivery.eventId} of="event" />],
    ['Endpoint', <EndpointLink key="endpoint" of={delivery} />],
    ['Tries', describeTries(delivery.tries, delivery.history.length)],
    [
      'Connection',
      delivery.connectionId && (
        <ShortId id={delivery.connectionId} of="connection" href={`/connections/${delivery.connectionId}`} />
      ),
    ],
  ] as const;
