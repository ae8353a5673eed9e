import { Checkbox, Stack } from '@mantine/core';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { WebhookEventTypesDocument } from '../generated/operations.ts';
import { QueryState } from './query-state.tsx';

interface EventTypeCheckboxesProps {
  /** Undefined for all types. */
  readonly selected: readonly string[] | undefined;
  readonly onChange: (selected: readonly string[]) => void;
}

/** The types of events that a webhook endpoint receives. */
export function EventTypeCheckboxes({ selected, onChange }: EventTypeCheckboxesProps) {
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
    </Stack>
  );
}
