import { buildSchema, execute, type GraphQLSchema, Kind, parse, validate } from 'graphql';
import { z } from 'zod';
import { type Control, ControlError } from './control.ts';
import type { SandboxApp } from './endpoint.ts';
import { createJsonResponse } from './json.ts';
import { connectAsPerson } from './person.ts';
import { ICON_PATH } from './pictures.ts';

/** The service that the explorer asks, as the app with this key. */
export interface ExplorerOptions {
  readonly graphqlUrl: string;
  /** The file that the service serves. */
  readonly schemaUrl: string;
  readonly key: string;
  /** The tenant of the example queries. */
  readonly tenantKey: string;
  /** The return URL of the example that connects an account. */
  readonly returnUrl: string;
}

export const EXPLORER_PATH = '/explorer';
const ENDPOINT = `${EXPLORER_PATH}/graphql`;
const CONSENT_PATH = `${EXPLORER_PATH}/consent`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // GraphiQL comes as one inline script, and starts its editors' workers from blobs.
  'content-security-policy':
    "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; " +
    "img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/**
 * Serves GraphiQL for the service's own schema. The key stays here: the page asks the sandbox, and the sandbox asks the
 * service. It answers introspection from the schema file, because the usual query exceeds the service's limits. The answer that
 * starts to connect an account also has a command, which decides as the person would.
 */
export function serveExplorer(app: SandboxApp, control: Control, options: ExplorerOptions): void {
  const { graphqlUrl, schemaUrl, key } = options;
  app.get(EXPLORER_PATH, async () => {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql'); // 9 MB, and only this page needs it.
    const page = renderGraphiQL({
      endpoint: ENDPOINT,
      title: 'Social Account Connection Service',
      logo: `<img src="${ICON_PATH}" alt="" width="28" height="28">`,
      favicon: ICON_PATH,
      defaultTabs: writeFirstQueries(options),
    });
    return new Response(page.trimStart(), { headers: HEADERS });
  });

  const launches = new Map<string, Launch>();
  const addConsent = (answer: string, request: string, path: string): string => {
    const { data } = LaunchAnswer.safeParse(parseJson(answer));
    const [provider] = /PROVIDER_[A-Z]/.exec(request) ?? [];
    if (data === undefined || provider === undefined) return answer;
    const { id, launchUrl, launchToken } = data.data.createConnectSession;
    launches.set(id, { provider, launchUrl, launchToken });
    const sandbox = { consentAsThePerson: `curl -X POST ${path}/${id}` };
    return JSON.stringify({ ...(parseJson(answer) as object), extensions: { sandbox } });
  };
  app.post(`${CONSENT_PATH}/:id`, async (c) => {
    const launch = launches.get(c.req.param('id'));
    launches.delete(c.req.param('id'));
    if (launch === undefined) throw new ControlError('The explorer has not started this attempt, or it is decided.');
    const { provider, ...link } = launch;
    const account = control.accounts().find((one) => one.platform === provider)?.id ?? '';
    return c.json({ url: await connectAsPerson({ ...link, account, returnUrl: options.returnUrl }) });
  });

  let schema: GraphQLSchema | undefined;
  const readSchema = async () => {
    const answer = await fetch(schemaUrl);
    if (!answer.ok) throw new Error(`The schema file answers ${answer.status}.`);
    return buildSchema(await answer.text());
  };
  app.post(ENDPOINT, async ({ req }) => {
    const body = await req.text();
    const query = readQuery(body);
    try {
      if (query !== undefined && isIntrospection(query)) {
        schema ??= await readSchema();
        const document = parse(query);
        const errors = validate(schema, document);
        return createJsonResponse(errors.length > 0 ? { errors } : await execute({ schema, document }));
      }
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      const answer = await fetch(graphqlUrl, { method: 'POST', headers, body });
      const type = answer.headers.get('content-type') ?? 'application/json';
      const text = addConsent(await answer.text(), body, `${new URL(req.url).origin}${CONSENT_PATH}`);
      return new Response(text, { status: answer.status, headers: { 'content-type': type } });
    } catch {
      return createJsonResponse({ errors: [{ message: 'The service does not answer. Is it running?' }] }, 502);
    }
  });
}

/** An attempt that nobody has decided. */
interface Launch {
  readonly provider: string;
  readonly launchUrl: string;
  readonly launchToken: string;
}

const LaunchAnswer = z.object({
  data: z.object({
    createConnectSession: z.object({ id: z.string(), launchUrl: z.string(), launchToken: z.string() }),
  }),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One operation for each tab: the service takes one operation in a request. The lines of the comments fit into the pane. */
const writeFirstQueries = ({ tenantKey, returnUrl }: ExplorerOptions): { query: string }[] => [
  {
    query: `# Press the button with the triangle.
# The sandbox adds the key of the demo app.
query Readiness {
  integrationReadiness {
    idpIdentityAvailable
    providers {
      provider
      available
    }
  }
}
`,
  },
  {
    query: `# Starts to connect a TikTok account of a person.
# The answer ends with a command. Run it in a shell
# to consent as the person. The next tab then shows
# the account.
mutation Connect {
  createConnectSession(input: {
    scope: {
      tenantKey: ${JSON.stringify(tenantKey)}
      externalSubjectId: "user-1"
    }
    provider: PROVIDER_B
    capabilities: [PROFILE, CONTENT_LIST]
    returnUrl: ${JSON.stringify(returnUrl)}
  }) {
    id
    launchUrl
    launchToken
  }
}
`,
  },
  {
    query: `# The accounts of a person. "user-1" is the id that
# your application has for the person.
query Accounts {
  connections(scope: {
    tenantKey: ${JSON.stringify(tenantKey)}
    externalSubjectId: "user-1"
  }) {
    items {
      id
      provider
      status
      profile { displayName }
    }
  }
}
`,
  },
];

function readQuery(body: string): string | undefined {
  const { query } = (parseJson(body) ?? {}) as { query?: unknown };
  return typeof query === 'string' ? query : undefined;
}

/** Whether a document asks for nothing but the schema. */
function isIntrospection(query: string): boolean {
  try {
    const operations = parse(query).definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
    const fields = operations.flatMap(({ selectionSet }) => selectionSet.selections);
    return fields.every((field) => field.kind === Kind.FIELD && /^__(schema|type)$/.test(field.name.value));
  } catch {
    return false; // The service reports the error.
  }
}
