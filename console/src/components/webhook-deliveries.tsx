import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import {
  RedeliverWebhookDocument,
  WebhookDeliveriesDocument,
  type WebhookDeliveryDetailsFragment,
  type WebhookDeliveryFilter,
} from '../generated/operations.ts';
import { describeAnswer, getNextTry } from '../texts/deliveries.ts';
import { formatCount, shortenId } from '../texts/format.ts';
import { getDeliveryState } from '../texts/states.ts';
import { MutationButton } from './action-button.tsx';
import { PaginatedTable } from './data-table.tsx';
import { InternalLink } from './links.tsx';
import { ShortId } from './short-id.tsx';
import { StateDot } from './status-badge.tsx';
import { TimeCell, TimeUntil } from './time.tsx';

interface WebhookDeliveryTableProps {
  readonly filter: WebhookDeliveryFilter;
  readonly empty: ReactNode;
  /** Leaves out the endpoint, on its own page. */
  readonly isOfOneEndpoint?: boolean;
}

/** Deliveries, the newest event first. */
export function WebhookDeliveryTable({ filter, empty, isOfOneEndpoint = false }: WebhookDeliveryTableProps) {
  const pages = usePaginatedQuery(
    WebhookDeliveriesDocument,
    { filter, first: 20 },
    ({ webhookDeliveries }) => webhookDeliveries,
    { pollMs: SLOW_POLL_MS },
  );
  return (
    <PaginatedTable
      caption="Deliveries"
      pages={pages}
      idOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          name: 'Event',
          cell: ({ id, eventId, eventType }) => (
            <span title={`Event ${eventId}, delivery ${id}`}>
              <InternalLink href={`/webhooks/deliveries/${id}`}>{eventType}</InternalLink>
            </span>
          ),
        },
        { name: 'Event id', isExtra: true, cell: ({ eventId }) => <ShortId id={eventId} of="event" /> },
        { name: 'Occurred', cell: ({ occurredAt }) => <TimeCell at={occurredAt} /> },
        { name: 'Status', cell: (delivery) => <StateDot state={getDeliveryState(delivery)} /> },
        {
          name: 'Last answer',
          share: 30,
          cell: (delivery) => <LastAnswerLine of={delivery} />,
        },
        ...(isOfOneEndpoint
          ? []
          : [
              {
                name: 'Endpoint',
                share: 24,
                cell: (delivery: WebhookDeliveryDetailsFragment) => <EndpointLink of={delivery} isShort />,
              },
            ]),
        {
          name: 'Connection',
          cell: ({ connectionId }) =>
            connectionId === null ? (
              'none'
            ) : (
              <ShortId id={connectionId} of="connection" href={`/connections/${connectionId}`} />
            ),
        },
        {
          name: '',
          cell: ({ id, eventType, status }) => (
            <MutationButton
              mutation={RedeliverWebhookDocument}
              label="Send again"
              target={`${eventType} ${shortenId(id)}`}
              size="compact-sm"
              variant={status === 'DELIVERED' ? 'subtle' : 'default'}
              variables={{ id }}
              successMessage="The event is sent again, with the same id."
            />
          ),
        },
      ]}
    />
  );
}

/** By its URL, which may be long. An endpoint that is gone has only its id, and no page. */
export const EndpointLink = ({ of: { endpointId, endpointUrl }, isShort = false }: EndpointLinkProps) =>
  endpointUrl === null ? (
    <span title={endpointId}>removed</span>
  ) : (
    <Box style={{ overflowWrap: 'anywhere' }} title={endpointUrl}>
      <InternalLink href={`/webhooks/${endpointId}`}>
        {isShort ? endpointUrl.replace(/^https?:\/\//, '') : endpointUrl}
      </InternalLink>
    </Box>
  );

interface EndpointLinkProps {
  readonly of: WebhookDeliveryDetailsFragment;
  /** Without its scheme, in a list: two endpoints may have one host. */
  readonly isShort?: boolean;
}

/** The answer to the last try, and the next try. The service keeps no body. */
function LastAnswerLine({ of }: { of: WebhookDeliveryDetailsFragment }) {
  const { lastHttpStatus, tries } = of;
  const message = describeAnswer(of);
  const nextRetryAt = getNextTry(of);
  // Short, so that the next try fits into the line: the delivery's page has the whole text.
  const answer = lastHttpStatus === null ? message.replace(/\.$/, '') : `HTTP ${lastHttpStatus}`;
  return (
    <span title={message}>
      {answer}
      <Text span inherit c="dimmed">
        {tries > 1 && ` · ${formatCount(tries, 'try', 'tries')}`}
        {nextRetryAt !== null && (
          <>
            {' '}
            · in <TimeUntil at={nextRetryAt} />
          </>
        )}
      </Text>
    </span>
  );
}
