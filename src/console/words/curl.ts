const QUERY = '{"query":"{ integrationReadiness { providers { provider available } } }"}';

/** The first question an app should ask, ready to be pasted into a shell. */
export const firstQuestion = (graphqlUrl: string, key: string): string =>
  [
    `curl ${graphqlUrl} \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    "  -H 'content-type: application/json' \\",
    `  -d '${QUERY}'`,
  ].join('\n');
