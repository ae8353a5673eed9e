import { Badge, Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link } from 'wouter';
import { usePages } from '../ask/hooks.ts';
import { TYPING_MS } from '../ask/pace.ts';
import { AppsDocument } from '../generated/operations.ts';
import { AppName } from '../parts/app-name.tsx';
import { FilterBar, useFilters } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedRows } from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.tsx';
import { hindranceOf } from '../words/roles.ts';

export function Apps() {
  const { me } = useSession();
  const { get, set } = useFilters<'search'>();
  const search = get('search') ?? '';
  const [sought] = useDebouncedValue(search.trim(), TYPING_MS);
  const filter = { search: sought === '' ? null : sought };
  const pages = usePages(AppsDocument, { filter, first: 25 }, ({ apps }) => apps);
  const hindrance = hindranceOf(me.role, 'createApp');
  return (
    <Page
      title="Apps"
      lead={hindrance ?? 'Customer applications that connect accounts of their users, newest first.'}
      actions={
        hindrance === undefined && (
          <Button component={Link} href="/apps/new">
            Set up an app
          </Button>
        )
      }
    >
      <FilterBar>
        <TextInput
          label="Name or id"
          placeholder="Part of a name, or the beginning of an id"
          maxLength={200}
          w={320}
          maw="100%"
          value={search}
          onChange={({ currentTarget }) => set('search', currentTarget.value)}
        />
      </FilterBar>
      <PagedRows
        caption="Apps"
        pages={pages}
        idOf={({ id }) => id}
        none={sought === '' ? 'No app has been set up yet.' : 'There is no such app.'}
        columns={[
          { name: 'App', cell: ({ id, name }) => <AppName id={id} name={name} /> },
          {
            name: 'State',
            cell: ({ enabled, missing }) => (
              <Badge color={enabled ? (missing.length === 0 ? 'teal' : 'orange') : 'gray'} variant="light" tt="none">
                {enabled ? (missing.length === 0 ? 'can connect accounts' : 'not complete') : 'disabled'}
              </Badge>
            ),
          },
          { name: 'Missing', cell: ({ missing }) => (missing.length === 0 ? 'nothing' : missing.join(' ')) },
          { name: 'Tenants', cell: ({ tenantCount }) => tenantCount.toLocaleString('en') },
          { name: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
