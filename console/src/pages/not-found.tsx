import { Text } from '@mantine/core';
import { InternalLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';

export const NotFound = () => (
  <Page title="Page not found">
    <Text>
      Go to the{' '}
      <InternalLink isInline href="/">
        overview
      </InternalLink>
      , or paste an id into the search field above.
    </Text>
  </Page>
);
