import { Checkbox, Input, Stack } from '@mantine/core';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { WebhookEventTypesDocument } from '../generated/operations.ts';
import { QueryState } from './query-state.tsx';

/** The fields of a form that adds or changes a webhook endpoint. */
export const WEBHOOK_FIELDS = { url: 'The URL', eventTypes: 'The list' };

/** The problem with a choice of types; null if there is none. */
export const findNoTypeFault = (selected: readonly string[] | undefined): string | null =>
  selected?.length === 0 ? 'Choose at least one type of event. To send nothing, disable the endpoint.' : null;

interface EventTypeCheckboxesProps {
  /** Undefined for all types. */
  readonly selected: readonly string[] | undefined;
  readonly onChange: (selected: readonly string[]) => void;
  readonly error?: string | undefined;
}

/** The types of events that a webhook endpoint receives. */
export function EventTypeCheckboxes({ selected, onChange, error }: EventTypeCheckboxesProps) {
  const query = useAdminQuery(WebhookEventTypesDocument, {});
  if (query.data === undefined) return <QueryState of={query} />;
  const names = query.data.webhookEventTypes.map(({ name }) => name);
  const isSelected = (name: string) => selected?.includes(name) ?? true;
  return (
    <Stack gap="xs" role="group" aria-label="Types of events">
      {query.data.webhookEventTypes.map(({ name, description }) => (
        <Checkbox
          key={name}
          label={name}
          description={description}
          checked={isSelected(name)}
          onChange={({ currentTarget }) =>
            onChange(names.filter((one) => (one === name ? currentTarget.checked : isSelected(one))))
          }
        />
      ))}
      {error !== undefined && (
        <Input.Error role="alert" size="sm">
          {error}
        </Input.Error>
      )}
    </Stack>
  );
}
