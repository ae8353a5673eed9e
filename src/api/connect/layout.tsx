import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { PageLanguage } from '../../basics/codes.ts';
import { Footer } from './footer.tsx';
import type { Mood } from './mood.ts';
import { NO_OPERATOR, type Operator, type PlatformTerms } from './operator.ts';
import { buildColorStyle, PAGE_STYLE } from './page-style.ts';

/** The look of an app's pages. */
export interface Look {
  /** As `#rrggbb`; null for the service's own. */
  readonly color: string | null;
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null;
}

interface Layout {
  readonly language: PageLanguage;
  /** The title of the browser window; the heading by default. */
  readonly title?: string;
  readonly mood: Mood;
  /** A small line above the heading that names the task or the app. */
  readonly about: string;
  readonly heading: string;
  readonly look?: Look | undefined;
  /** The URL that the browser opens at once. */
  readonly next?: string | undefined;
  readonly operator?: Operator;
  /** Documents of platforms to link. */
  readonly platforms?: readonly PlatformTerms[];
  readonly children: Child;
}

/** Renders a complete page, without scripts. */
export function renderLayout({
  language,
  title,
  mood,
  about,
  heading,
  look,
  next,
  operator = NO_OPERATOR,
  platforms = [],
  children,
}: Layout): string {
  const { color = null, logo = null } = look ?? {};
  const page = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        {next !== undefined && <meta http-equiv="refresh" content={`0;url=${next}`} />}
        <title>{title ?? heading}</title>
        {/* A browser would squeeze a wide logo. */}
        {logo !== null && logo.width === logo.height && <link rel="icon" href={logo.url} />}
        <style>{raw(PAGE_STYLE)}</style>
        {color !== null && <style>{raw(buildColorStyle(color))}</style>}
      </head>
      <body>
        <main>
          {/* The line below names the app, so a screen reader passes the logo over. */}
          {logo !== null && <img src={logo.url} width={logo.width} height={logo.height} alt="" />}
          <Picture mood={mood} />
          <p class="app">{about}</p>
          <h1>{heading}</h1>
          {children}
          <Footer operator={operator} language={language} platforms={platforms} />
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${page}`;
}

const PICTURES: Readonly<Record<Mood, string>> = {
  stop: 'M12 3l7 3v5c0 4.6-2.9 8.3-7 10-4.1-1.7-7-5.4-7-10V6l7-3zM12 8.5v4M12 15.8v.01',
  wait: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V12l3 2',
  lost: 'M10 14a4 4 0 0 0 6 .4l2.6-2.6a4 4 0 0 0-5.7-5.7l-.9.9M14 10a4 4 0 0 0-6-.4l-2.6 2.6a4 4 0 0 0 5.7 5.7l.9-.9',
  done: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.5l2.7 2.7L16 9.5',
};

const Picture = ({ mood }: { mood: Mood }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={PICTURES[mood]} />
  </svg>
);
