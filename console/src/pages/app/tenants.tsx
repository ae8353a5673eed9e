import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAdminMutation, usePaginatedQuery } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { PaginatedTable } from '../../components/data-table.tsx';
import { DisconnectAllButton } from '../../components/disconnect-all-button.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import {
  AddTenantDocument,
  type AppDetailsFragment,
  RemoveTenantDocument,
  TenantsDocument,
} from '../../generated/operations.ts';
import { formatCount } from '../../texts/format.ts';

export function Tenants({ app: { id: appId } }: { app: AppDetailsFragment }) {
  const pages = usePaginatedQuery(TenantsDocument, { appId, first: 20 }, ({ tenants }) => tenants);
  const add = useAdminMutation(AddTenantDocument);
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
          maxLength={128}
          value={tenantKey}
          onChange={({ currentTarget }) => setTenantKey(currentTarget.value)}
        />
        <ActionButton
          type="submit"
          operation="addTenant"
          label="Add tenant"
          run={async () => {
            const { problem } = await add({ appId, tenantKey });
            if (!problem) setTenantKey('');
            return problem;
          }}
          successMessage="Tenant added."
        />
      </InlineForm>
    </Section>
  );
}

/** Removes a tenant and keeps its connections, so that an operator can undo it. Another button disconnects them. */
function Remove({ appId, tenantKey }: { appId: string; tenantKey: string }) {
  const remove = useAdminMutation(RemoveTenantDocument);
  const variables = { appId, tenantKey, connections: 'KEEP' } as const;
  return (
    <ActionButton
      operation="removeTenant"
      label="Remove…"
      target={tenantKey}
      size="xs"
      confirm={{
        title: `Remove the tenant “${tenantKey}”`,
        action: 'Remove',
        isDanger: true,
        text: 'The app can no longer act for this tenant. Its connections stay stored but unreadable until you add it again.',
        preview: async () => {
          const { data, problem } = await remove({ ...variables, dryRun: true });
          if (problem) return { problem };
          return { text: `This affects ${formatCount(data.removeTenant.connectionCount, 'connection')}.` };
        },
      }}
      run={async () => (await remove({ ...variables, dryRun: false })).problem}
      successMessage="Tenant removed."
    />
  );
}
