import { Text } from '@mantine/core';
import { PLATFORM_NAMES } from '../../../../src/basics/codes.ts';
import { useAdminQuery } from '../../admin-client/hooks.ts';
import { AppNameDocument, type SocialProvider } from '../../generated/operations.ts';
import { shortenId } from '../../texts/format.ts';
import { PROVIDERS } from '../../texts/providers.ts';
import { AppSelect } from '../app-select.tsx';
import { PlatformName } from '../platform.tsx';
import { oneOf, toText } from './filter-kinds.tsx';
import { PanelPill } from './filter-pills.tsx';
import type { Filter } from './filters.tsx';

export const PROVIDER_FILTER = oneOf<SocialProvider>('provider', 'Platform', PROVIDERS, (provider) => (
  <PlatformName of={provider}>
    {PLATFORM_NAMES[provider]}{' '}
    <Text span c="dimmed" size="xs">
      {provider}
    </Text>
  </PlatformName>
));

export const APP_FILTER: Filter<string | null> = {
  name: 'app',
  read: toText,
  control: ({ get, set }) => (
    <PanelPill
      label="App"
      words={get('app') === '' ? null : <AppWords id={get('app')} />}
      onClear={() => set({ app: null })}
    >
      {(close) => (
        <AppSelect
          value={toText(get('app'))}
          isOpen
          onChange={(id) => {
            set({ app: id });
            close();
          }}
        />
      )}
    </PanelPill>
  ),
};

function AppWords({ id }: { id: string }) {
  const { data, problem } = useAdminQuery(AppNameDocument, { id });
  return data?.app.name ?? (problem?.code === 'NOT_FOUND' ? 'unknown' : shortenId(id));
}
