import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { DELIVERY_STATUSES, SENT_EVENT_TYPES } from '../../../src/basics/codes.ts';
import { oneOf, oneOrOther, typed } from '../components/filters/filter-kinds.tsx';
import { FilterBar, NoMatches, useFilters } from '../components/filters/filters.tsx';
import { APP_FILTER } from '../components/filters/shared-filters.tsx';
import { timeRange } from '../components/filters/time-range.tsx';
import { Page } from '../components/page.tsx';
import { WebhookDeliveryTable } from '../components/webhook-deliveries.tsx';
import { FREQUENT_DELIVERY_FAILURES } from '../texts/failure-codes.ts';
import { getState } from '../texts/states.ts';

const ID_FIELD = { placeholder: 'Id' };
const [SINCE, BEFORE] = timeRange('Occurred');

const FILTERS = {
  status: oneOf('status', 'Status', DELIVERY_STATUSES, (status) => getState(status).label),
  eventType: oneOf('type', 'Event', SENT_EVENT_TYPES),
  appId: APP_FILTER,
  endpointId: typed('endpoint', 'Endpoint', ID_FIELD),
  connectionId: typed('connection', 'Connection', ID_FIELD),
  lastFailure: oneOrOther('failure', 'Last failure', FREQUENT_DELIVERY_FAILURES),
  since: SINCE,
  before: BEFORE,
};

/** The deliveries of all apps, by filter. */
export function WebhookDeliveries() {
  const [filter, controls, clear] = useFilters(FILTERS);
  return (
    <Page
      title="Webhooks"
      lead="The deliveries of the last 30 days, the newest event first. To set up an endpoint, open its app."
    >
      <FilterBar>{controls}</FilterBar>
      <WebhookDeliveryTable
        filter={filter}
        empty={
          <NoMatches
            of="delivery"
            icon="webhooks"
            clear={clear}
            otherwise="Nothing was delivered in the last 30 days. An app’s page sets up an endpoint."
            action={
              <Button variant="default" component={Link} href="/apps">
                See the apps
              </Button>
            }
          />
        }
      />
    </Page>
  );
}
