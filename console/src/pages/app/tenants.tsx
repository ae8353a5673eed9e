import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { usePaginatedQuery } from '../../admin-client/hooks.ts';
import { DryRunButton, MutationButton } from '../../components/action-button.tsx';
import { PaginatedTable } from '../../components/data-table.tsx';
import { DisconnectAllButton } from '../../components/disconnect-all-button.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import {
  AddTenantDocument,
  type AppDetailsFragment,
  BOUNDS,
  RemoveTenantDocument,
  TenantsDocument,
} from '../../generated/operations.ts';
import { formatCount } from '../../texts/format.ts';

export function Tenants({ app: { id: appId } }: { app: AppDetailsFragment }) {
  const pages = usePaginatedQuery(TenantsDocument, { appId, first: 20 }, ({ tenants }) => tenants, {
    name: 'tenants',
  });
  const [tenantKey, setTenantKey] = useState('');
  return (
    <Section
      title="Tenants"
      lead="The app's customers, by the keys that the app uses. The app can act only for tenants in this list."
    >
      <PaginatedTable
        caption="Tenants"
        pages={pages}
        idOf={(tenant) => tenant.tenantKey}
        empty="There are no tenants yet."
        columns={[
          { name: 'Tenant', cell: (tenant) => tenant.tenantKey },
          { name: 'Connections', cell: ({ connectionCount }) => connectionCount.toLocaleString('en') },
          { name: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: '',
            cell: (tenant) => (
              <Group gap="xs" wrap="nowrap">
                <Remove appId={appId} tenantKey={tenant.tenantKey} />
                <DisconnectAllButton input={{ appId, tenantKey: tenant.tenantKey }} of={tenant.tenantKey} size="xs" />
              </Group>
            ),
          },
        ]}
      />
      <InlineForm>
        <TextInput
          label="New tenant"
          maxLength={BOUNDS['addTenant.tenantKey'].max}
          value={tenantKey}
          onChange={({ currentTarget }) => setTenantKey(currentTarget.value)}
        />
        <MutationButton
          type="submit"
          mutation={AddTenantDocument}
          variables={{ appId, tenantKey }}
          label="Add tenant"
          onDone={() => setTenantKey('')}
          successMessage="Tenant added."
        />
      </InlineForm>
    </Section>
  );
}

/** Removes a tenant and keeps its connections, so that an operator can undo it. Another button disconnects them. */
const Remove = ({ appId, tenantKey }: { appId: string; tenantKey: string }) => (
  <DryRunButton
    mutation={RemoveTenantDocument}
    variables={{ appId, tenantKey, connections: 'KEEP' }}
    label="Remove…"
    target={tenantKey}
    size="xs"
    confirm={{
      title: `Remove the tenant “${tenantKey}”`,
      action: 'Remove',
      isDanger: true,
      text: 'The app can no longer act for this tenant. Its connections stay stored but unreadable until you add it again.',
    }}
    describe={({ removeTenant }) => ({
      text: `This affects ${formatCount(removeTenant.connectionCount, 'connection')}.`,
    })}
    successMessage="Tenant removed."
  />
);
