import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct, usePages } from '../../ask/hooks.ts';
import {
  AddTenantDocument,
  RemoveTenantDocument,
  TenantsDocument,
  type WholeAppFragment,
} from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { DisconnectAll } from '../../parts/disconnect-all.tsx';
import { EntryForm } from '../../parts/entry-form.tsx';
import { Section } from '../../parts/page.tsx';
import { PagedRows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { count } from '../../words/count.ts';

export function Tenants({ app: { id: appId } }: { app: WholeAppFragment }) {
  const pages = usePages(TenantsDocument, { appId, first: 20 }, ({ tenants }) => tenants);
  const add = useAct(AddTenantDocument);
  const [tenantKey, setTenantKey] = useState('');
  return (
    <Section
      title="Tenants"
      lead="The app's own customers, in its own words. It can act only for those registered here."
    >
      <PagedRows
        caption="Tenants"
        pages={pages}
        idOf={(tenant) => tenant.tenantKey}
        none="It has no tenant yet."
        columns={[
          { name: 'Tenant', cell: (tenant) => tenant.tenantKey },
          { name: 'Connections', cell: ({ connectionCount }) => connectionCount.toLocaleString('en') },
          { name: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: '',
            cell: (tenant) => (
              <Group gap="xs" wrap="nowrap">
                <Remove appId={appId} tenantKey={tenant.tenantKey} />
                <DisconnectAll input={{ appId, tenantKey: tenant.tenantKey }} of={tenant.tenantKey} size="xs" />
              </Group>
            ),
          },
        ]}
      />
      <EntryForm>
        <TextInput
          label="New tenant"
          maxLength={128}
          value={tenantKey}
          onChange={({ currentTarget }) => setTenantKey(currentTarget.value)}
        />
        <ActButton
          type="submit"
          operation="addTenant"
          label="Add tenant"
          act={async () => {
            const { problem } = await add({ appId, tenantKey });
            if (!problem) setTenantKey('');
            return problem;
          }}
          done="Added."
        />
      </EntryForm>
    </Section>
  );
}

/** Keeps its connections: that can be taken back. Disconnecting them is another button. */
function Remove({ appId, tenantKey }: { appId: string; tenantKey: string }) {
  const remove = useAct(RemoveTenantDocument);
  const variables = { appId, tenantKey, connections: 'KEEP' } as const;
  return (
    <ActButton
      operation="removeTenant"
      label="Remove…"
      about={tenantKey}
      size="xs"
      confirm={{
        title: `Remove the tenant “${tenantKey}”`,
        action: 'Remove',
        isDanger: true,
        text: 'The app can do nothing for it any more. Its connections stay stored and unreadable until it is added again.',
        foresee: async () => {
          const { data, problem } = await remove({ ...variables, dryRun: true });
          if (problem) return { problem };
          return { text: `It touches ${count(data.removeTenant.connectionCount, 'connection')}.` };
        },
      }}
      act={async () => (await remove({ ...variables, dryRun: false })).problem}
      done="Removed."
    />
  );
}
