import { Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { waitingForNetwork } from '../load-patiently.ts';
import { Loading } from './loading.tsx';
import { Page } from './page.tsx';

/** Stands in the place of a page whose code is on its way. */
export function LoadingPage() {
  const isWaiting = useSyncExternalStore(waitingForNetwork.subscribe, waitingForNetwork.get);
  if (!isWaiting) return <Loading />;
  return (
    <Page title="Waiting for the network">
      <Text role="alert">The server does not answer. This page opens as soon as it does.</Text>
    </Page>
  );
}
