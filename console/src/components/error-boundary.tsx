import { Button, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Page } from './page.tsx';

/**
 * Catches an error of one page so that the rest of the console still works. Most often a newer build has replaced the page's code:
 * `loadPatiently` waits for a network that is gone. Another `key` resets it.
 */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Page title="This page failed to load">
        <Text>
          The server answers, but not with this page: the console was updated since you opened it. Reload the console.
        </Text>
        <Button onClick={() => window.location.reload()} w="fit-content">
          Reload the console
        </Button>
      </Page>
    );
  }
}
