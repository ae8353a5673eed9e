import { Checkbox, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { DryRunButton } from '../../components/action-button.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import { WebhookDeliveryTable } from '../../components/webhook-deliveries.tsx';
import { RedeliverWebhooksDocument, type WebhookEndpointDetailsFragment } from '../../generated/operations.ts';
import { formatCount } from '../../texts/format.ts';
import { formatUtc, fromLocalField, getZoneName } from '../../texts/time.ts';

/** The deliveries of one endpoint, and the button that sends many again. */
export function Deliveries({ endpoint: { id, url } }: { endpoint: WebhookEndpointDetailsFragment }) {
  const [from, setFrom] = useState('');
  const [isAll, setIsAll] = useState(false);
  const since = fromLocalField(from);
  const continued = (continueAt: string | null) =>
    continueAt === null ? '' : ` There are more: repeat from ${formatUtc(continueAt)}.`;
  return (
    <Section title="Deliveries" lead="The service stores the status of each answer, never its body.">
      <WebhookDeliveryTable
        filter={{ endpointId: id }}
        isOfOneEndpoint
        empty="No event was sent to this endpoint yet."
      />
      <InlineForm>
        <TextInput
          type="datetime-local"
          label="Send again since"
          description={`In ${getZoneName()}, up to 30 days back.`}
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <Checkbox
          label="Also delivered events"
          checked={isAll}
          onChange={({ currentTarget }) => setIsAll(currentTarget.checked)}
          pb={8}
        />
        <DryRunButton
          type="submit"
          mutation={RedeliverWebhooksDocument}
          variables={{ id, since: since ?? '', failedOnly: !isAll }}
          label="Send again…"
          disabled={since === null}
          confirm={{
            title: 'Send events again',
            action: 'Send again',
            text: `To ${new URL(url).host}, those since ${since === null ? '' : formatUtc(since)}. ${
              isAll
                ? 'The same ids are sent, so an app that ignores known ids handles each once.'
                : 'Only events that it has not accepted, including those that occurred while it was disabled.'
            }`,
          }}
          describe={({ redeliverWebhooks: { count, continueAt } }) => ({
            text: `This sends ${formatCount(count, 'event')} again.${continued(continueAt)}`,
            isNothing: count === 0,
          })}
          onDone={({ redeliverWebhooks: { count, continueAt } }) =>
            notifications.show({
              message: `${formatCount(count, 'event')} will be sent again.${continued(continueAt)}`,
              color: 'teal',
            })
          }
        />
      </InlineForm>
    </Section>
  );
}
