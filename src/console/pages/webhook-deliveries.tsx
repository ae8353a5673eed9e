import { TextInput } from '@mantine/core';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { AppSelect } from '../components/app-select.tsx';
import { DateInput } from '../components/date-input.tsx';
import { FilterBar, SelectFilter, useFilters } from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { WebhookDeliveryTable } from '../components/webhook-deliveries.tsx';
import { type WebhookDeliveryStatus, WebhookEventTypesDocument } from '../generated/operations.ts';
import { toStartOfDay } from '../texts/time.ts';

export const DELIVERY_STATUSES: readonly WebhookDeliveryStatus[] = ['PENDING', 'DELIVERED', 'FAILED'];
const TEST = 'webhook.test';

/** The deliveries of all apps, by filter. */
export function WebhookDeliveries() {
  const { get, getAll, set } = useFilters<'app' | 'status' | 'type' | 'endpoint' | 'connection' | 'since'>();
  const { data } = useAdminQuery(WebhookEventTypesDocument, {});
  const types = [...(data?.webhookEventTypes.map(({ name }) => name) ?? []), TEST];
  const [status = null] = getAll('status', DELIVERY_STATUSES);
  const [eventType = null] = getAll('type', types);
  const since = get('since') ?? '';
  const filter = {
    appId: get('app'),
    status,
    eventType,
    endpointId: get('endpoint'),
    connectionId: get('connection'),
    since: toStartOfDay(since),
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
        <SelectFilter label="Event" value={eventType} of={types} onChange={(chosen) => set('type', chosen)} />
        <AppSelect value={get('app')} onChange={(chosen) => set('app', chosen)} />
        <IdFilter label="Endpoint" value={get('endpoint')} onChange={(id) => set('endpoint', id)} />
        <IdFilter label="Connection" value={get('connection')} onChange={(id) => set('connection', id)} />
        <DateInput label="Since" value={since} onChange={(day) => set('since', day)} />
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
