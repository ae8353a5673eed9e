import { Box, Text } from '@mantine/core';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import {
  RedeliverWebhookDocument,
  WebhookDeliveriesDocument,
  type WebhookDeliveryDetailsFragment,
  type WebhookDeliveryFilter,
} from '../generated/operations.ts';
import { formatCount, shortenId } from '../texts/format.ts';
import { MutationButton } from './action-button.tsx';
import { PaginatedTable } from './data-table.tsx';
import { InternalLink } from './links.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Time, TimeUntil, useNow } from './time.tsx';

interface WebhookDeliveryTableProps {
  readonly filter: WebhookDeliveryFilter;
  readonly empty: string;
  /** Leaves out the endpoint, on its own page. */
  readonly isOfOneEndpoint?: boolean;
  /** Whether that endpoint is disabled, so that its deliveries wait. */
  readonly isDisabled?: boolean;
}

/** Deliveries, the newest event first. */
export function WebhookDeliveryTable({
  filter,
  empty,
  isOfOneEndpoint = false,
  isDisabled = false,
}: WebhookDeliveryTableProps) {
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
            <>
              <InternalLink href={`/webhooks/deliveries/${id}`}>{eventType}</InternalLink>
              <Text size="xs" ff="monospace" title={`Event ${eventId}, delivery ${id}`}>
                event {shortenId(eventId)}
                <br />
                delivery {shortenId(id)}
              </Text>
            </>
          ),
        },
        { name: 'Occurred', cell: ({ occurredAt }) => <Time at={occurredAt} /> },
        { name: 'Status', cell: ({ status }) => <StatusBadge of={status} /> },
        { name: 'Last answer', cell: (delivery) => <LastAnswer of={delivery} isDisabled={isDisabled} /> },
        ...(isOfOneEndpoint
          ? []
          : [
              {
                name: 'Endpoint',
                cell: (delivery: WebhookDeliveryDetailsFragment) => <EndpointLink of={delivery} />,
              },
            ]),
        {
          name: 'Connection',
          cell: ({ connectionId }) =>
            connectionId === null ? (
              'none'
            ) : (
              <InternalLink href={`/connections/${connectionId}`}>{shortenId(connectionId)}</InternalLink>
            ),
        },
        {
          name: '',
          cell: ({ id, eventType }) => (
            <MutationButton
              mutation={RedeliverWebhookDocument}
              label="Send again"
              target={`${eventType} ${shortenId(id)}`}
              size="xs"
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
export const EndpointLink = ({ of: { endpointId, endpointUrl } }: { of: WebhookDeliveryDetailsFragment }) =>
  endpointUrl === null ? (
    <span title={endpointId}>removed</span>
  ) : (
    <Box style={{ overflowWrap: 'anywhere' }} miw={140}>
      <InternalLink href={`/webhooks/${endpointId}`}>{endpointUrl}</InternalLink>
    </Box>
  );

/** The answer to the last try, and the next try. The service keeps no body. */
export function LastAnswer({ of, isDisabled }: { of: WebhookDeliveryDetailsFragment; isDisabled: boolean }) {
  const { lastFailure, lastHttpStatus, lastTriedAt, nextTryAt, tries } = of;
  return (
    <>
      {lastTriedAt === null ? 'Not tried yet.' : (lastFailure?.message ?? `${lastHttpStatus ?? 'Accepted'}.`)}
      <Text size="sm" c="dimmed" component="div">
        {lastTriedAt !== null && (
          <>
            {formatCount(tries, 'try', 'tries')}, the last on <Time at={lastTriedAt} />.{' '}
          </>
        )}
        {nextTryAt !== null && (isDisabled ? 'It waits until the endpoint is enabled.' : <NextTry at={nextTryAt} />)}
      </Text>
    </>
  );
}

/** A try is not late by more than this, unless the whole endpoint waits. */
const OVERDUE_MS = 15_000;

const NextTry = ({ at }: { at: string }) =>
  useNow() - Date.parse(at) > OVERDUE_MS ? (
    'It is due, and waits while its endpoint pauses after failures.'
  ) : (
    <>
      Next try in <TimeUntil at={at} />.
    </>
  );
