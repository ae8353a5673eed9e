import { buildSchema, execute, type GraphQLSchema, Kind, parse, validate } from 'graphql';
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
export function serveExplorer(app: SandboxApp, { graphqlUrl, schemaUrl, key, tenantKey }: ExplorerOptions): void {
  app.get(EXPLORER_PATH, async () => {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql'); // 9 MB, and only this page needs it.
    const page = renderGraphiQL({
      endpoint: ENDPOINT,
      title: 'Social Account Connection Service',
      logo: `<img src="${ICON_PATH}" alt="" width="28" height="28">`,
      favicon: ICON_PATH,
      defaultTabs: writeFirstQueries(tenantKey),
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

/** One query for each tab: the service takes one operation in a request. */
const writeFirstQueries = (tenantKey: string): { query: string }[] => [
  {
    query: `# Press the button with the triangle. The sandbox adds the key of the demo app.
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
    query: `# The accounts of a person. Write the id that your application has for a person in the place of "user-1".
query Accounts {
  connections(scope: { tenantKey: ${JSON.stringify(tenantKey)}, externalSubjectId: "user-1" }) {
    items {
      id
      provider
      status
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
    return false; // The service says what is wrong with it.
  }
}
