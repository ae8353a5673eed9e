import { Text } from '@mantine/core';
import { To } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';

export const NotFound = () => (
  <Page title="There is no such page">
    <Text>
      Go to the{' '}
      <To inText href="/">
        overview
      </To>
      , or paste an id into the field above.
    </Text>
  </Page>
);
