import { createHash } from 'node:crypto';

/** The complete style of a page. Pages load no other files. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f3f4f6; --card: #fff; --edge: #e2e5ea; --text: #1a1d23; --quiet: #596070;
  --accent: #2b50c8; --on-accent: #fff; --accent-over: #2140a5; --tint: #e8edfc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #111318; --card: #1a1d24; --edge: #2d323c; --text: #eceef2; --quiet: #a5adbb;
    --accent: #a3bbff; --on-accent: #101a3a; --accent-over: #bccdff; --tint: #252e4b;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 1rem;
  background: var(--ground); color: var(--text);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
}
main {
  width: 100%; max-width: 29rem; padding: clamp(1.5rem, 6vw, 2.5rem); background: var(--card);
  border: 1px solid var(--edge); border-radius: 1.125rem; box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px rgb(0 0 0 / .06);
}
svg {
  display: block; width: 3rem; height: 3rem; padding: .7rem; border-radius: 50%; background: var(--tint);
  fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round;
}
.app { margin: 1.25rem 0 0; color: var(--quiet); font-size: .9375rem; }
h1 { margin: .25rem 0 .75rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; }
p { margin: 0 0 .75rem; text-wrap: pretty; }
a {
  display: block; margin-top: 1.5rem; padding: .8rem 1.25rem; border-radius: .75rem; background: var(--accent);
  color: var(--on-accent); font-weight: 600; text-align: center; text-decoration: none; text-wrap: balance;
}
a:hover { background: var(--accent-over); }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.reference {
  margin: 1.75rem 0 0; padding-top: 1rem; border-top: 1px solid var(--edge); color: var(--quiet); font-size: .8125rem;
}
code { display: block; font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
@media (forced-colors: active) { a { border: 2px solid; } }
`;

const hash = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** Allows this style and nothing besides. */
export const PAGE_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash}'`,
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
