import { parseArgs } from 'node:util';

const USAGE = `Usage: npm start -- [--fresh] [--watch]
  --fresh           deletes the data of the stack first
  --watch           restarts the programs after a change of their sources

The command social-account-connection-sandbox, or --headless, runs a stack of its own for a program. It takes
  --return-url URL   the return URL of its app
  --webhook-url URL  the URL to which it sends the app's webhooks; app.webhook.secret of its output verifies them
  --cache FOLDER     keeps downloaded programs here`;

export interface HeadlessOptions {
  readonly returnUrl: string | undefined;
  readonly webhookUrl: string | undefined;
  readonly cache: string | undefined;
}

export type Options =
  | { readonly mode: 'help'; readonly usage: string }
  | { readonly mode: 'headless'; readonly options: HeadlessOptions }
  | { readonly mode: 'screen'; readonly fresh: boolean; readonly watch: boolean };

/** @throws Error with the usage, for an option that does not exist or has no effect beside the others */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  const { help, headless = false, fresh = false, watch = false, cache } = values;
  if (help) return { mode: 'help', usage: USAGE };
  const foreign = (headless ? ['fresh', 'watch'] : ['return-url', 'webhook-url', 'cache']).find(
    (name) => name in values,
  );
  if (foreign !== undefined) {
    throw new Error(`--${foreign} has no effect ${headless ? 'with' : 'without'} --headless.\n${USAGE}`);
  }
  if (!headless) return { mode: 'screen', fresh, watch };
  return { mode: 'headless', options: { returnUrl: values['return-url'], webhookUrl: values['webhook-url'], cache } };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        help: { type: 'boolean' },
        fresh: { type: 'boolean' },
        watch: { type: 'boolean' },
        headless: { type: 'boolean' },
        'return-url': { type: 'string' },
        'webhook-url': { type: 'string' },
        cache: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}
