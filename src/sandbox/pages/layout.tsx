import { raw } from 'hono/html';
import type { FC, PropsWithChildren } from 'hono/jsx';
import type { SandboxProvider } from '../model.ts';
import { STYLE } from './style.ts';

/** The frame of every page. Its banner says that nothing here is real. */
export const SandboxLayout: FC<PropsWithChildren<{ title: string; provider?: SandboxProvider; isWide?: boolean }>> = (
  props,
) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{props.title}</title>
      <style>{raw(STYLE)}</style>
    </head>
    <body class={props.provider ?? ''}>
      <header class="banner">
        {props.provider ? `Sandbox for ${props.provider}` : 'Sandbox'} — nothing here is real. Accounts and posts are
        made up.
      </header>
      <main class={props.isWide ? 'wide' : ''}>{props.children}</main>
    </body>
  </html>
);

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
