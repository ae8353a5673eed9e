import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { TYPING_DELAY_MS } from '../admin-client/polling.ts';
import { BOUNDS, TenantKeysDocument } from '../generated/operations.ts';

/** The key of a tenant. It offers the tenants of the app, and takes others: a former tenant may have left data. */
export function TenantInput({ appId, value = '', ...rest }: { appId: string } & AutocompleteProps) {
  const [search] = useDebouncedValue(value.trim().slice(0, 128), TYPING_DELAY_MS);
  const variables = { appId, search: search === '' ? null : search };
  const { data } = useAdminQuery(TenantKeysDocument, variables, { pause: appId === '' });
  return (
    <Autocomplete
      label="Tenant"
      placeholder="key used by the app"
      required
      maxLength={BOUNDS['addTenant.tenantKey'].max}
      value={value}
      data={[...(data?.tenantKeys ?? [])]}
      // Keeps the options within the page's landmarks.
      comboboxProps={{ withinPortal: false }}
      {...rest}
    />
  );
}
