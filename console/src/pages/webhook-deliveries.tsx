import { DELIVERY_STATUSES, SENT_EVENT_TYPES } from '../../../src/basics/codes.ts';
import { APP_FILTER, FilterBar, instant, oneOf, oneOrOther, typed, useFilters } from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { WebhookDeliveryTable } from '../components/webhook-deliveries.tsx';
import { FREQUENT_DELIVERY_FAILURES } from '../texts/failure-codes.ts';

const ID_FIELD = { placeholder: 'Id', w: { base: '100%', sm: 180 } };

const FILTERS = {
  status: oneOf('status', 'Status', DELIVERY_STATUSES),
  eventType: oneOf('type', 'Event', SENT_EVENT_TYPES),
  appId: APP_FILTER,
  endpointId: typed('endpoint', 'Endpoint', ID_FIELD),
  connectionId: typed('connection', 'Connection', ID_FIELD),
  lastFailure: oneOrOther('failure', 'Last failure', FREQUENT_DELIVERY_FAILURES),
  since: instant('since', 'Occurred from'),
  before: instant('before', 'Occurred before'),
};

/** The deliveries of all apps, by filter. */
export function WebhookDeliveries() {
  const [filter, controls] = useFilters(FILTERS);
  return (
    <Page
      title="Webhooks"
      lead="The deliveries of the last 30 days, the newest event first. To set up an endpoint, open its app."
    >
      <FilterBar>{controls}</FilterBar>
      <WebhookDeliveryTable filter={filter} empty="No delivery matches." />
    </Page>
  );
}
