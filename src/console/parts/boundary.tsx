import { Button, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Page } from './page.tsx';

/**
 * Keeps a page that cannot be loaded or shown from taking the rest of the console with it. Most often its code is gone
 * from the server, since a newer build has taken its place, or the server is. With another `key` it begins anew.
 */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Page title="This page could not be shown">
        <Text>
          The console may have been updated since it was opened, or its server is out of reach. Loading it anew helps
          with the first, and with the second once the server is back.
        </Text>
        <Button onClick={() => window.location.reload()} w="fit-content">
          Load the console anew
        </Button>
      </Page>
    );
  }
}
