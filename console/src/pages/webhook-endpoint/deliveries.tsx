import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { MutationButton } from '../../components/action-button.tsx';
import { DateInput } from '../../components/date-input.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import { WebhookDeliveryTable } from '../../components/webhook-deliveries.tsx';
import { RedeliverWebhooksDocument, type WebhookEndpointDetailsFragment } from '../../generated/operations.ts';
import { formatCount } from '../../texts/format.ts';
import { formatUtc, toStartOfDay } from '../../texts/time.ts';

/** The deliveries of one endpoint, and the button that sends many again. */
export function Deliveries({ endpoint: { id, enabled } }: { endpoint: WebhookEndpointDetailsFragment }) {
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
        <MutationButton
          type="submit"
          mutation={RedeliverWebhooksDocument}
          variables={{ id, since: toStartOfDay(day) ?? '', failedOnly: !isAll }}
          label="Send again…"
          disabled={day === ''}
          confirm={{
            title: 'Send events again',
            action: 'Send again',
            text: isAll
              ? 'All events of this endpoint since then are sent again, with the same ids. An app that ignores known ids handles each once.'
              : 'Events since then that this endpoint has not accepted are sent again, including those that occurred while it was disabled.',
          }}
          onDone={({ redeliverWebhooks: { count, continueAt } }) => {
            const more = continueAt === null ? '' : ` There are more: repeat from ${formatUtc(continueAt)}.`;
            notifications.show({ message: `${formatCount(count, 'event')} will be sent again.${more}`, color: 'teal' });
          }}
        />
      </InlineForm>
    </Section>
  );
}
