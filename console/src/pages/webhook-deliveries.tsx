import { TextInput } from '@mantine/core';
import { DELIVERY_STATUSES, SENT_EVENT_TYPES } from '../../../src/basics/codes.ts';
import { AppSelect } from '../components/app-select.tsx';
import { FilterBar, PeriodFilter, SelectFilter, useFilters, withChosen } from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { WebhookDeliveryTable } from '../components/webhook-deliveries.tsx';
import { FREQUENT_DELIVERY_FAILURES } from '../texts/failure-codes.ts';
import { toInstant } from '../texts/time.ts';

/** The deliveries of all apps, by filter. */
export function WebhookDeliveries() {
  const { get, getAll, set } = useFilters<
    'app' | 'status' | 'type' | 'endpoint' | 'connection' | 'failure' | 'since' | 'before'
  >();
  const [status = null] = getAll('status', DELIVERY_STATUSES);
  const [eventType = null] = getAll('type', SENT_EVENT_TYPES);
  const [failure, since, before] = [get('failure'), toInstant(get('since')), toInstant(get('before'))];
  const filter = {
    appId: get('app'),
    status,
    eventType,
    endpointId: get('endpoint'),
    connectionId: get('connection'),
    lastFailure: failure,
    since,
    before,
  };
  return (
    <Page
      title="Webhooks"
      lead="The deliveries of the last 30 days, the newest event first. To set up an endpoint, open its app."
    >
      <FilterBar>
        <SelectFilter
          label="Status"
          value={status}
          of={DELIVERY_STATUSES}
          onChange={(chosen) => set('status', chosen)}
        />
        <SelectFilter
          label="Event"
          value={eventType}
          of={SENT_EVENT_TYPES}
          onChange={(chosen) => set('type', chosen)}
        />
        <AppSelect value={get('app')} onChange={(chosen) => set('app', chosen)} />
        <IdFilter label="Endpoint" value={get('endpoint')} onChange={(id) => set('endpoint', id)} />
        <IdFilter label="Connection" value={get('connection')} onChange={(id) => set('connection', id)} />
        <SelectFilter
          label="Last failure"
          value={failure}
          of={withChosen(FREQUENT_DELIVERY_FAILURES, failure)}
          onChange={(chosen) => set('failure', chosen)}
        />
        <PeriodFilter verb="Occurred" since={since} before={before} onChange={set} />
      </FilterBar>
      <WebhookDeliveryTable filter={filter} empty="No delivery matches." />
    </Page>
  );
}

interface IdFilterProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (id: string) => void;
}

const IdFilter = ({ label, value, onChange }: IdFilterProps) => (
  <TextInput
    label={label}
    placeholder="Id"
    value={value ?? ''}
    onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
    w={{ base: '100%', sm: 180 }}
  />
);
