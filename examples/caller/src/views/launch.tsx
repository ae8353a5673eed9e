import type { FC } from 'hono/jsx';

/**
 * Takes the browser to the service's connect host. The launch token stands in this form and nowhere else; the form posts
 * itself, or waits for its button where scripts do not run.
 */
export const LaunchForm: FC<{ url: string; token: string; to: string }> = ({ url, token, to }) => (
  <section class="card narrow">
    <h1>On to {to}</h1>
    <p>You will be asked there what this application may see. Afterwards you come back here.</p>
    <form method="post" action={url} data-launch="">
      <input type="hidden" name="launchToken" value={token} />
      <button type="submit" class="main wide">
        Continue to {to}
      </button>
    </form>
  </section>
);
