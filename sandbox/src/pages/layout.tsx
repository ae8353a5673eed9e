import { raw } from 'hono/html';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { getPublicName, type SandboxProvider } from '../model.ts';
import { ICON_PATH } from '../pictures.ts';
import { STYLE } from './style.ts';

/** The frame of every page. Its banner states that nothing here is real. */
export const SandboxLayout: FC<PropsWithChildren<{ title: string; provider?: SandboxProvider; isWide?: boolean }>> = (
  props,
) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{props.title}</title>
      <link rel="icon" href={ICON_PATH} type="image/svg+xml" />
      <style>{raw(STYLE)}</style>
    </head>
    <body class={props.provider ?? ''}>
      <header class="banner">
        {props.provider ? `Sandbox for ${describeProvider(props.provider)}` : 'Sandbox'}: nothing here is real. Accounts
        and posts are made up.
      </header>
      <main class={props.isWide ? 'wide' : ''}>{props.children}</main>
    </body>
  </html>
);

/** The name that people know, and the provider's name in the schema. */
export const describeProvider = (provider: SandboxProvider): string =>
  provider === 'IDP' ? getPublicName(provider) : `${getPublicName(provider)} (${provider})`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
};

export const createHtmlResponse = (page: unknown, status = 200): Response =>
  new Response(`<!doctype html>${page}`, { status, headers: HEADERS });

/** The page on which a real platform stops: it does not send the person back to the application. */
export const createDeadEnd = (provider: SandboxProvider, title: string, explanation: string, status = 400): Response =>
  createHtmlResponse(
    <SandboxLayout title={title} provider={provider}>
      <div class="card">
        <h1>{title}</h1>
        <p>{explanation}</p>
        <p class="soft">
          The real platform stops here as well and does not send you back. Close this page, or go back to the
          application you came from.
        </p>
      </div>
    </SandboxLayout>,
    status,
  );
