import { Button, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Page } from './page.tsx';

/**
 * Catches an error of one page so that the rest of the console still works. Most often the page's code could not be loaded:
 * a newer build replaced it, or the server is down. Another `key` resets it.
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
          The console may have been updated since you opened it, or the server is down. Reload the console. If the
          server is down, reload when it is back.
        </Text>
        <Button onClick={() => window.location.reload()} w="fit-content">
          Reload the console
        </Button>
      </Page>
    );
  }
}
