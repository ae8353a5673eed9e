import { Text } from '@mantine/core';
import { Page } from '../components/page.tsx';

/** For a URL with a typing error in its id. */
export const NotAnId = ({ text }: { text: string }) => (
  <Page title="Not an id">
    <Text>
      “{text}” is not an id. An id has 32 digits and letters from a to f, in five groups. Copy it again, or paste what
      you have into the search field above.
    </Text>
  </Page>
);
