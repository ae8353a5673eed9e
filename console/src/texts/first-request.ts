const QUERY = '{"query":"{ integrationReadiness { providers { provider available } } }"}';

/** A command that checks a new key, ready to paste into a shell. */
export const buildFirstRequest = (graphqlUrl: string, key: string): string =>
  [
    `curl ${graphqlUrl} \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    "  -H 'content-type: application/json' \\",
    `  -d '${QUERY}'`,
  ].join('\n');
