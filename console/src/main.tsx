import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { Console } from './console.tsx';
import { LeaveQuestion, useGuardedLocation, useGuardedSearch } from './leave-guard.tsx';
import { cssVariables, theme } from './theme.ts';

/** The Content-Security-Policy requires this nonce on every style element. The browser hides the attribute, not the property. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// The library that locks scrolling under a dialog reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" />
      <Router base="/admin" hook={useGuardedLocation} searchHook={useGuardedSearch}>
        <Console />
        <LeaveQuestion />
      </Router>
    </MantineProvider>
  </StrictMode>,
);
