import { Button, Code, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { FAST_POLL_MS, SLOW_POLL_MS } from '../admin-client/polling.ts';
import { MutationButton } from '../components/action-button.tsx';
import { DataTable } from '../components/data-table.tsx';
import { DetailsList } from '../components/details-list.tsx';
import { CopyableText, InternalLink } from '../components/links.tsx';
import { Page, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { Time } from '../components/time.tsx';
import { EndpointLink, LastAnswer } from '../components/webhook-deliveries.tsx';
import {
  RedeliverWebhookDocument,
  WebhookDeliveryDocument,
  type WebhookDeliveryQuery,
} from '../generated/operations.ts';

type Delivery = WebhookDeliveryQuery['webhookDelivery'];

/** One event on its way to one endpoint: its body, and what each try came to. */
export function WebhookDelivery() {
  const { id } = useParams<{ id: string }>();
  const [isAwaited, setIsAwaited] = useState(true);
  const query = useAdminQuery(WebhookDeliveryDocument, { id }, { pollMs: isAwaited ? FAST_POLL_MS : SLOW_POLL_MS });
  const delivery = query.data?.webhookDelivery;
  // A try counts from its start, so that `tries` does not say that one has ended.
  const isTried = delivery !== undefined && (delivery.status !== 'PENDING' || delivery.lastFailure !== null);
  useEffect(() => setIsAwaited(!isTried), [isTried]);
  return (
    <Page
      title={delivery === undefined ? 'Delivery' : `Delivery of ${delivery.eventType}`}
      lead="One event on its way to one endpoint."
      actions={
        delivery && (
          <>
            <Button component={Link} href={`/audit?target=${id}`} variant="subtle">
              View acts on it
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
        <>
          <DetailsList of={listDetails(delivery)} />
          <Tries of={delivery} />
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
        </>
      )}
    </Page>
  );
}

const listDetails = (delivery: Delivery) =>
  [
    ['Status', <StatusBadge key="status" of={delivery.status} />],
    ['Last answer', <LastAnswer key="answer" of={delivery} isDisabled={false} />],
    ['Event', <CopyableText key="event" text={delivery.eventId} name="the event's id" />],
    ['Delivery', <CopyableText key="id" text={delivery.id} name="the delivery's id" />],
    ['Endpoint', <EndpointLink key="endpoint" of={delivery} />],
    ['Occurred', <Time key="occurred" at={delivery.occurredAt} />],
    ['Ended', delivery.finishedAt === null ? 'not yet' : <Time key="ended" at={delivery.finishedAt} />],
    [
      'Connection',
      delivery.connectionId === null ? (
        'none'
      ) : (
        <InternalLink key="connection" href={`/connections/${delivery.connectionId}`}>
          {delivery.connectionId}
        </InternalLink>
      ),
    ],
  ] as const;

const Tries = ({ of: { history } }: { of: Delivery }) => (
  <Section title="Tries" lead="The last 20, newest first, also those from before it was sent again.">
    <DataTable
      caption="Tries"
      items={history.map((one, index) => ({ ...one, number: index + 1 })).reverse()}
      idOf={({ number }) => String(number)}
      empty="It was not tried yet."
      columns={[
        { name: 'Time', cell: ({ at }) => <Time at={at} /> },
        { name: 'Status', cell: ({ httpStatus }) => httpStatus ?? 'no answer' },
        {
          name: 'Duration',
          cell: ({ durationMs }) => (durationMs === null ? '–' : `${durationMs.toLocaleString('en')} ms`),
        },
        { name: 'Answer', cell: ({ failure }) => failure?.message ?? 'Accepted.' },
      ]}
    />
  </Section>
);
