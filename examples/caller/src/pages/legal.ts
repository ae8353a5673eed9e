import { html } from 'hono/html';
import { externalLink, list } from '../components.ts';
import { newRoutes, type Studio } from '../context.ts';
import { renderPage } from '../layout.ts';
import { ALL_PROVIDERS, PROVIDERS } from '../texts.ts';

/** The privacy policy and the terms: your own if there are some, otherwise short ones of the example. */
export function legalRoutes({ config }: Studio) {
  const routes = newRoutes();

  routes.get('/privacy', (c) =>
    config.PRIVACY_URL === undefined
      ? renderPage(c, { title: 'Privacy policy' }, html`<article class="narrow">${PRIVACY}</article>`)
      : c.redirect(config.PRIVACY_URL, 302),
  );

  routes.get('/terms', (c) =>
    config.TERMS_URL === undefined
      ? renderPage(c, { title: 'Terms' }, html`<article class="narrow">${TERMS}</article>`)
      : c.redirect(config.TERMS_URL, 302),
  );

  // The style sheet of the platforms' marks, which stand beside their data.
  routes.get('/marks.css', (c) => {
    const rules = ALL_PROVIDERS.flatMap((provider) => {
      const url = config[`${provider}_MARK_URL`];
      return url === undefined
        ? []
        : `.mark.${provider}::before { content: ""; background-image: url("${new URL(url).href}"); }`;
    });
    return c.body(rules.join('\n'), 200, { 'content-type': 'text/css; charset=utf-8' });
  });

  return routes;
}

const removals = list(
  'plain',
  ALL_PROVIDERS.map((provider) => html`<strong>${PROVIDERS[provider].name}:</strong> ${PROVIDERS[provider].removal}`),
);

const PRIVACY = html`<h1>Privacy policy</h1>
  <p>
    Demo Studio uses YouTube API Services. With your consent, it reads through the platforms’ APIs: name, handle, picture and
    description of the accounts that you connect; your published posts with text, link and time; and their counts of views,
    likes, comments and shares. It shows them to you and to nobody else, and does nothing else with them.
  </p>
  <p>
    It stores the name of an account for 30 days after the last reading, and receipts of a disconnect for seven days. Its data
    service stores profile, posts and counts for 30 days after the last reading. If you disconnect an account, its access ends
    and the data is erased within seven days. If you remove Demo Studio at the platform, the data is erased within 30 days at
    YouTube, and within 90 days at TikTok and Instagram. This deletes nothing at the platform.
  </p>
  <p>You can also remove Demo Studio at the platform:</p>
  ${removals}
  <p>
    ${externalLink('https://policies.google.com/privacy', 'Google Privacy Policy')}. A cookie keeps you signed in. For
    questions, and to get or delete your data, write to the operator of this example.
  </p>`;

const TERMS = html`<h1>Terms</h1>
  <p>
    Demo Studio is an example and comes without a guarantee. Connect only accounts that are yours. By connecting a YouTube
    account you agree to the ${externalLink('https://www.youtube.com/t/terms', 'YouTube Terms of Service')}.
  </p>`;
