import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { DateInput } from '../../components/date-input.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import { WebhookDeliveryTable } from '../../components/webhook-deliveries.tsx';
import { RedeliverWebhooksDocument, type WebhookEndpointDetailsFragment } from '../../generated/operations.ts';
import { formatCount } from '../../texts/format.ts';
import { formatUtc, toStartOfDay } from '../../texts/time.ts';

/** The deliveries of one endpoint, and the button that sends many again. */
export function Deliveries({ endpoint: { id, enabled } }: { endpoint: WebhookEndpointDetailsFragment }) {
  const redeliver = useAdminMutation(RedeliverWebhooksDocument);
  const [day, setDay] = useState('');
  const [isAll, setIsAll] = useState(false);
  return (
    <Section title="Deliveries" lead="The service stores the status of each answer, never its body.">
      <WebhookDeliveryTable
        filter={{ endpointId: id }}
        isOfOneEndpoint
        isDisabled={!enabled}
        empty="No event was sent to this endpoint yet."
      />
      <InlineForm>
        <DateInput
          label="Send again since"
          description="From 00:00 UTC, up to 30 days back."
          value={day}
          onChange={setDay}
        />
        <Checkbox
          label="Also delivered events"
          checked={isAll}
          onChange={({ currentTarget }) => setIsAll(currentTarget.checked)}
          pb={8}
        />
        <ActionButton
          type="submit"
          operation="redeliverWebhooks"
          label="Send again…"
          disabled={day === ''}
          confirm={{
            title: 'Send events again',
            action: 'Send again',
            text: isAll
              ? 'All events of this endpoint since then are sent again, with the same ids. An app that ignores known ids handles each once.'
              : 'Events since then that this endpoint has not accepted are sent again, including those that occurred while it was disabled.',
          }}
          run={async () => {
            const since = toStartOfDay(day) ?? '';
            const { data, problem } = await redeliver({ id, since, failedOnly: !isAll });
            if (data === undefined) return problem;
            const { count, continueAt } = data.redeliverWebhooks;
            const more = continueAt === null ? '' : ` There are more: repeat from ${formatUtc(continueAt)}.`;
            notifications.show({ message: `${formatCount(count, 'event')} will be sent again.${more}`, color: 'teal' });
            return undefined;
          }}
        />
      </InlineForm>
    </Section>
  );
}
