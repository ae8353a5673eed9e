import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAdminQuery, useIdempotentMutation } from '../../admin-client/hooks.ts';
import { SETTINGS_POLL_MS } from '../../admin-client/polling.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { EventTypeCheckboxes, findNoTypeFault, WEBHOOK_FIELDS } from '../../components/event-type-checkboxes.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
import { InlineForm } from '../../components/inline-form.tsx';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { WebhookEndpointTable } from '../../components/webhook-endpoints.tsx';
import { NewWebhookSecret } from '../../components/webhook-secret.tsx';
import { CreateWebhookEndpointDocument, WebhookEndpointsDocument } from '../../generated/operations.ts';
import { findUrlFault } from '../../texts/field-problems.ts';
import { WEBHOOK_SECRET_LOST } from '../../texts/problem.ts';

const MAX_ENDPOINTS = 10;

/** The URLs to which the service sends this app's events. */
export function Webhooks({ appId }: { appId: string }) {
  const query = useAdminQuery(WebhookEndpointsDocument, { appId }, { pollMs: SETTINGS_POLL_MS });
  const create = useIdempotentMutation(CreateWebhookEndpointDocument);
  const [url, setUrl] = useState('');
  const [eventTypes, setEventTypes] = useState<readonly string[]>();
  const [secret, setSecret] = useState<string>();
  const { errorOf, clear, submit } = useFieldErrors(WEBHOOK_FIELDS);
  const endpoints = query.data?.webhookEndpoints;
  return (
    <Section
      title="Webhooks"
      lead={
        <>
          The service sends signed events to these URLs, so that the app need not poll. See the{' '}
          <InternalLink isInline href={`/webhooks?app=${appId}`}>
            deliveries
          </InternalLink>{' '}
          of this app.
        </>
      }
    >
      {secret !== undefined && <NewWebhookSecret secret={secret} onDone={() => setSecret(undefined)} />}
      <QueryState of={query} />
      {endpoints && (
        <WebhookEndpointTable
          caption="Webhook endpoints of this app"
          items={endpoints}
          isOfOneApp
          empty="There are no webhook endpoints yet. The app has to poll."
        />
      )}
      {endpoints && endpoints.length < MAX_ENDPOINTS && (
        <Stack gap="sm">
          <InlineForm>
            <TextInput
              label="New webhook endpoint"
              placeholder="https://app.example/webhooks"
              miw={280}
              error={errorOf('url')}
              value={url}
              onChange={({ currentTarget }) => {
                clear('url');
                setUrl(currentTarget.value);
              }}
            />
            <ActionButton
              type="submit"
              operation="createWebhookEndpoint"
              label="Add endpoint"
              run={() =>
                submit({ url: findUrlFault(url, 'webhook'), eventTypes: findNoTypeFault(eventTypes) }, async () => {
                  const { data: created, problem: refused } = await create((idempotencyKey) => ({
                    input: {
                      appId,
                      url: url.trim(),
                      ...(eventTypes && { eventTypes: [...eventTypes] }),
                      idempotencyKey,
                    },
                  }));
                  if (created === undefined) return refused;
                  if (created.createWebhookEndpoint.secret === null) return WEBHOOK_SECRET_LOST;
                  setSecret(created.createWebhookEndpoint.secret);
                  setUrl('');
                  setEventTypes(undefined);
                  return undefined;
                })
              }
            />
          </InlineForm>
          {url.trim() !== '' && (
            <EventTypeCheckboxes selected={eventTypes} onChange={setEventTypes} error={errorOf('eventTypes')} />
          )}
        </Stack>
      )}
    </Section>
  );
}
