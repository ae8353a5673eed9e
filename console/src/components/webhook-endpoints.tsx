import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookDisabledReason, WebhookEndpointDetailsFragment } from '../generated/operations.ts';
import { formatCount } from '../texts/format.ts';
import { AppCell } from './app-link.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { InternalLink } from './links.tsx';
import { Age } from './time.tsx';

export const DISABLED_REASONS: Readonly<Record<WebhookDisabledReason, string>> = {
  OPERATOR: 'disabled by an operator',
  GONE: 'disabled: it answered 410',
  FAILING: 'disabled: it failed for 3 days',
};

/** Whether the service sends to an endpoint, and since when not. */
export function WebhookEndpointStatus({ of }: { of: WebhookEndpointDetailsFragment }) {
  const { disabledReason, disabledAt, failingSince } = of;
  if (disabledReason !== null) {
    return (
      <>
        <Badge color={disabledReason === 'OPERATOR' ? 'gray' : 'red'} variant="light" tt="none">
          {DISABLED_REASONS[disabledReason]}
        </Badge>
        {disabledAt !== null && <Since at={disabledAt} />}
      </>
    );
  }
  if (failingSince !== null) {
    return (
      <>
        <Badge color="orange" variant="light" tt="none">
          failing, {formatCount(of.failures, 'try', 'tries')}
        </Badge>
        <Since at={failingSince} />
      </>
    );
  }
  return (
    <Badge color="teal" variant="light" tt="none">
      enabled
    </Badge>
  );
}

const Since = ({ at }: { at: string }) => (
  <Text size="sm" c="dimmed" component="span">
    {' '}
    for <Age since={at} />
  </Text>
);

/** The host and path of a URL. Its query may contain a secret of the app. */
const shortenUrl = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\?.*$/, '?…');

interface WebhookEndpointTableProps {
  readonly caption: string;
  readonly items: readonly WebhookEndpointDetailsFragment[];
  readonly empty: ReactNode;
  /** Leaves out the app, on its own page. */
  readonly isOfOneApp?: boolean;
}

export function WebhookEndpointTable({ isOfOneApp = false, ...table }: WebhookEndpointTableProps) {
  const app: Column<WebhookEndpointDetailsFragment> = {
    name: 'App',
    cell: ({ appId, appName }) => <AppCell id={appId} name={appName} />,
  };
  return (
    <DataTable
      {...table}
      idOf={({ id }) => id}
      columns={[
        {
          name: 'Endpoint',
          share: 30,
          cell: ({ id, url }) => <InternalLink href={`/webhooks/${id}`}>{shortenUrl(url)}</InternalLink>,
        },
        ...(isOfOneApp ? [] : [app]),
        { name: 'Status', cell: (endpoint) => <WebhookEndpointStatus of={endpoint} /> },
        { name: 'Events', cell: ({ eventTypes }) => formatCount(eventTypes.length, 'type') },
      ]}
    />
  );
}
