import { buildSchema, execute, type GraphQLSchema, Kind, parse, validate } from 'graphql';
import type { Control } from './control.ts';
import type { SandboxApp } from './endpoint.ts';
import { createJsonResponse } from './json.ts';
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
 * service. It answers introspection from the schema file, because the usual query exceeds the service's limits.
 */
export function serveExplorer(app: SandboxApp, control: Control, options: ExplorerOptions): void {
  const { graphqlUrl, schemaUrl, key } = options;
  app.get(EXPLORER_PATH, async ({ req }) => {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql'); // 9 MB, and only this page needs it.
    const page = renderGraphiQL({
      endpoint: ENDPOINT,
      title: 'Social Account Connection Service',
      logo: `<img src="${ICON_PATH}" alt="" width="28" height="28">`,
      favicon: ICON_PATH,
      defaultTabs: writeFirstQueries(options, control.accounts('PROVIDER_B')[0]?.id ?? '', new URL(req.url).origin),
    });
    return new Response(page.trimStart(), { headers: HEADERS });
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
      return new Response(await answer.text(), { status: answer.status, headers: { 'content-type': type } });
    } catch {
      return createJsonResponse({ errors: [{ message: 'The service does not answer. Is it running?' }] }, 502);
    }
  });
}

/**
 * One operation for each tab: the service takes one operation in a request. The lines of the comments fit into the pane.
 * @param account one of PROVIDER_B
 */
const writeFirstQueries = (
  { tenantKey, returnUrl }: ExplorerOptions,
  account: string,
  sandboxUrl: string,
): { query: string }[] => [
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
# Then decide as the person would, in a shell. Put
# launchUrl and launchToken of the answer into it:
#
# curl ${sandboxUrl}/control/connect \\
#   -H 'content-type: application/json' -d '{
#     "account": ${JSON.stringify(account)},
#     "returnUrl":
#       ${JSON.stringify(returnUrl)},
#     "launchUrl": "…", "launchToken": "…" }'
#
# The next tab shows the account.
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
  try {
    const { query } = JSON.parse(body) as { query?: unknown };
    return typeof query === 'string' ? query : undefined;
  } catch {
    return undefined;
  }
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
