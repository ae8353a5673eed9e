import { createHash } from 'node:crypto';
import { type ColorScheme, derivePageColors, PAGE_GROUNDS } from '../../basics/page-colors.ts';

const describeGround = (scheme: ColorScheme) =>
  Object.entries(PAGE_GROUNDS[scheme])
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ');

/** The style of every page. The only file that a page loads is the app's logo. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f3f4f6; ${describeGround('light')}
  --accent: #2b50c8; --tint: #e8edfc; --button: #2b50c8; --on-button: #fff; --button-over: #2140a5; --button-edge: transparent;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #111318; ${describeGround('dark')}
    --accent: #a3bbff; --tint: #252e4b; --button: #a3bbff; --on-button: #101a3a; --button-over: #bccdff;
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
img {
  display: block; width: auto; height: auto; max-width: 100%; max-height: 4rem; margin-bottom: 1.25rem; padding: .5rem;
  border: 1px solid var(--edge); border-radius: .75rem; background: #fff;
}
svg {
  display: block; width: 3rem; height: 3rem; padding: .7rem; border-radius: 50%; background: var(--tint);
  fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round;
}
.app { margin: 1.25rem 0 0; color: var(--quiet); font-size: .9375rem; }
h1 { margin: .25rem 0 .75rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; }
p { margin: 0 0 .75rem; text-wrap: pretty; }
a {
  display: block; margin-top: 1.5rem; padding: .8rem 1.25rem; border-radius: .75rem; background: var(--button);
  box-shadow: inset 0 0 0 1px var(--button-edge); color: var(--on-button); font-weight: 600; text-align: center; text-decoration: none; text-wrap: balance;
}
a:hover { background: var(--button-over); }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.reference {
  margin: 1.75rem 0 0; padding-top: 1rem; border-top: 1px solid var(--edge); color: var(--quiet); font-size: .8125rem;
}
footer { margin-top: 1.75rem; padding-top: 1rem; border-top: 1px solid var(--edge); color: var(--quiet); font-size: .8125rem; }
footer p { margin: 0 0 .25rem; }
footer ul { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 0 1rem; }
footer a { display: inline-block; margin: 0; padding: .35rem 0; background: none; box-shadow: none; color: var(--accent); font-weight: 400; text-decoration: underline; }
footer a:hover { background: none; }
code { display: block; font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
@media (forced-colors: active) { p + a, main > a { border: 2px solid; } }
`;

/** Sets the colors of a page to those of its app. @param color as `#rrggbb`; no other text reaches the style sheet. */
export function buildColorStyle(color: string): string {
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new Error('A color has the form #rrggbb.');
  const rule = (scheme: ColorScheme) => {
    const { accent, tint, button, onButton, buttonOver } = derivePageColors(color, scheme);
    return `:root { --accent: ${accent}; --tint: ${tint}; --button: ${button}; --on-button: ${onButton}; --button-over: ${buttonOver}; --button-edge: ${accent}; }`;
  };
  return `${rule('light')} @media (prefers-color-scheme: dark) { ${rule('dark')} }`;
}

interface PageNeeds {
  readonly color: string | null;
  readonly hasLogo: boolean;
  readonly mayBeFramed?: boolean;
}

/** Allows the styles of the page, by their hashes, and the logo, which this host serves. Allows nothing besides. */
export function buildContentSecurityPolicy({ color, hasLogo, mayBeFramed = false }: PageNeeds): string {
  const styles = [PAGE_STYLE_HASH, ...(color === null ? [] : [hash(buildColorStyle(color))])];
  return [
    "default-src 'none'",
    `style-src ${styles.map((style) => `'sha256-${style}'`).join(' ')}`,
    ...(hasLogo ? ["img-src 'self'"] : []),
    "form-action 'none'",
    ...(mayBeFramed ? [] : ["frame-ancestors 'none'"]),
    "base-uri 'none'",
  ].join('; ');
}

const hash = (style: string) => createHash('sha256').update(style).digest('base64');
const PAGE_STYLE_HASH = hash(PAGE_STYLE);
