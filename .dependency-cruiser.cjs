// The rules for imports: arrows point down, those of types as well. docs/architecture.md draws the folders.

/** The folders of the service, from the top down. Each imports those below it only. */
const FLOORS = [
  ...['api', 'cli', 'worker', 'activities', 'outbox', 'domain', 'identity', 'temporal', 'workflows', 'journal'],
  ...['store', 'webhooks', 'config', 'providers', 'telemetry', 'vault', 'basics'],
];

/** `import type` of activities is how a workflow knows their inputs and results: the one arrow that points up. */
const ACTIVITIES_OF_WORKFLOWS = {
  from: '^src/workflows/(calls|sweep)\\.ts$',
  to: '^src/activities/(index|fast/inline-steps)\\.ts$',
};

const down = FLOORS.slice(1).map((name, index) => ({
  name: `${name}-imports-nothing-above-it`,
  severity: 'error',
  from: { path: `^src/${name}/`, ...(name === 'workflows' && { pathNot: ACTIVITIES_OF_WORKFLOWS.from }) },
  to: { path: `^src/(${FLOORS.slice(0, index + 1).join('|')})/` },
}));

/** Every folder records spans and counts, through OpenTelemetry's API only, which does nothing until the SDK is loaded. */
const TELLING = '^src/telemetry/(tracing|instruments)\\.ts$';

/** The types of the generated operations; these files contain no code. */
const TYPES_WITHOUT_CODE = '^@graphql-typed-document-node/core$';

/**
 * A folder's code may import itself, the basics and the matches of `allowed`, nothing more. Its `main.ts` and `open-….ts` assemble
 * the parts and may import anything below, as does `worker/deps.ts`. `import type` is free, as far as it points down.
 */
const layer = (name, ...allowed) => ({
  name: `${name}-keeps-to-itself`,
  severity: 'error',
  from: { path: `^src/${name}/`, pathNot: `^src/(${name}/(main|open-\\w+)|worker/deps|workflows/dispatches)\\.ts$` },
  to: { pathNot: ['^src/basics/', `^src/${name}/`, ...allowed], dependencyTypesNot: ['type-only'] },
});

/** Nobody in `from` imports `to`, types included. */
const never = (name, from, to, comment) => ({
  name,
  ...(comment && { comment }),
  severity: 'error',
  from: typeof from === 'string' ? { path: from } : from,
  to: typeof to === 'string' ? { path: to } : to,
});

module.exports = {
  forbidden: [
    ...down,
    never(
      'workflows-know-activities-by-type',
      { path: ACTIVITIES_OF_WORKFLOWS.from },
      {
        path: '^src/(api|cli|worker|activities|outbox|domain|identity|temporal)/',
        pathNot: ACTIVITIES_OF_WORKFLOWS.to,
      },
    ),
    // Workflows are deterministic: no clock, network or environment, and no import of ours that reaches one.
    layer('workflows', 'node_modules/@temporalio/(workflow|common)/'),
    {
      name: 'the-contract-of-the-workflows-is-a-leaf',
      comment: 'Contains names, inputs, signals and results only: code that starts a workflow does not load workflows.',
      severity: 'error',
      from: { path: '^src/workflows/(contract|results)\\.ts$' },
      to: { pathNot: '^src/basics/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'dispatches-load-no-workflow',
      severity: 'error',
      from: { path: '^src/workflows/dispatches\\.ts$' },
      to: { pathNot: ['^src/basics/', '^src/workflows/contract\\.ts$', TELLING], dependencyTypesNot: ['type-only'] },
    },
    never('no-workflow-builds-a-dispatch', '^src/workflows/', '^src/workflows/dispatches\\.ts$'),
    layer(
      'activities',
      'node_modules/',
      '^(async_hooks|crypto|timers/promises)$',
      '^src/(domain|store|vault|identity|webhooks)/',
      '^src/temporal/start-workflow\\.ts$',
      '^src/workflows/(contract|dispatches)\\.ts$',
      '^src/providers/(provider|facts|catalog)\\.ts$',
      TELLING,
    ),
    // The domain decides, in a transaction that its caller opens.
    layer(
      'domain',
      'node_modules/zod/',
      '^(crypto|zlib)$',
      '^src/(store|vault|journal|webhooks)/',
      '^src/generated/admin-operations\\.ts$',
      '^src/workflows/(contract|dispatches)\\.ts$',
      '^src/providers/(provider|facts|catalog)\\.ts$',
      '^src/telemetry/instruments\\.ts$',
    ),
    never(
      'the-domain-speaks-no-protocol',
      '^src/domain/',
      'node_modules/(graphql|graphql-yoga|hono|undici|@temporalio)/|^(node:)?https?$|^src/generated/(admin-)?schema\\.ts$',
      'No HTTP, no GraphQL, no Temporal client, also by type. The linter forbids `fetch` there.',
    ),
    layer('providers', 'node_modules/(zod|undici)/', '^(crypto|dns|net|util|zlib)$', TELLING),
    layer(
      'store',
      'node_modules/(postgres|zod)/',
      '^(crypto|path|fs|fs/promises|net|tls|events|timers/promises)$',
      '^src/generated/settings\\.ts$',
    ),
    // Everything that is signed and sent to callers.
    layer('webhooks', 'node_modules/zod/', '^crypto$', '^src/providers/(answers|provider)\\.ts$'),
    layer(
      'journal',
      'node_modules/(zod|@aws-sdk/client-s3)/',
      '^(path|fs|fs/promises|crypto|timers/promises)$',
      '^src/store/',
    ),
    layer(
      'identity',
      'node_modules/(openid-client|zod)/',
      '^(async_hooks|crypto)$',
      '^src/providers/(provider|text|answers|json)\\.ts$',
      TELLING,
    ),
    layer('vault', 'node_modules/jose/', '^crypto$'),
    layer('config', 'node_modules/zod/', '^(fs|crypto|net)$', '^src/providers/platforms\\.ts$'),
    layer(
      'temporal',
      'node_modules/@temporalio/(client|common)/',
      '^timers/promises$',
      '^src/workflows/(contract|trace-header)\\.ts$',
      TELLING,
    ),
    layer(
      'outbox',
      '^(os|timers/promises)$',
      'node_modules/@temporalio/client/',
      '^src/(store|temporal)/',
      '^src/workflows/(contract|dispatches)\\.ts$',
      TELLING,
    ),
    {
      name: 'only-the-temporal-folder-starts-workflows',
      comment: 'The outbox reads the failures of a start, the worker keeps schedules, and a replay ends workflows.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/(temporal/|outbox/(entry-delivery|queue-owner)|worker/schedules|cli/replay)',
      },
      to: { path: 'node_modules/@temporalio/client/', dependencyTypesNot: ['type-only'] },
    },
    layer('telemetry', 'node_modules/@opentelemetry/', '^(http|timers/promises)$'),
    {
      name: 'telemetry-off-costs-nothing',
      comment: 'A dynamic import loads its libraries only if tracing or metrics are enabled.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/telemetry/(traces|metrics)\\.ts$' },
      to: { path: 'node_modules/@opentelemetry/(?!api/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'telemetry-is-switched-on-late',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/telemetry/(traces|metrics)\\.ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    layer(
      'api',
      'node_modules/',
      '^(http|net|crypto|fs|path|timers/promises)$',
      '^src/(config|generated|domain|store|identity|webhooks)/',
      '^src/workflows/(contract|dispatches)\\.ts$',
      '^src/(providers/(provider|facts|catalog|authorization-response)|vault/(seal|associated-data))\\.ts$',
      TELLING,
    ),
    layer(
      'cli',
      'node_modules/(@temporalio/client|zod|postgres)/',
      '^src/generated/admin-operations\\.ts$',
      '^(crypto|fs|fs/promises|path|readline|readline/promises|timers/promises|util)$',
      '^src/(config|domain|store|vault|journal|outbox|temporal|webhooks)/',
      // `try-provider` calls a platform with an adapter and nothing else of the service.
      '^(events|http|stream)$',
      '^src/providers/(adapters|answers|checklist|http|json|platforms|scrub-text|unexpected-answers)\\.ts$',
      // An issuer is tested as the api tests it.
      '^src/identity/test-issuer\\.ts$',
      // An import calls the providers as the worker does.
      '^src/(activities/import-connection|worker/deps)\\.ts$',
      '^src/(workflows/(contract|dispatches)|providers/(provider|facts|catalog))\\.ts$',
    ),
    layer(
      'worker',
      'node_modules/(@temporalio/(worker|client|common)|hono|@hono/node-server)/',
      '^(http|net|fs|path|timers/promises)$',
      '^src/(activities|config|workflows|outbox|store|telemetry|temporal)/',
      '^src/providers/(provider|catalog|count-calls)\\.ts$',
    ),
    never(
      'nobody-imports-the-api',
      { path: '^(src|local|bench)/', pathNot: '^src/(api/|main\\.ts|generated/)' },
      '^src/api/',
      'The api serves callers; the domain holds the rules.',
    ),
    never(
      'business-code-knows-no-fast-path',
      {
        path: '^(src|local|bench)/',
        pathNot: '^src/(api/(fast/|main\\.ts$)|activities/fast/|worker/(main|workers)\\.ts$|workflows/calls\\.ts$)',
      },
      '^src/(api|activities)/fast/',
      'Only the code that puts a process together takes them; a workflow knows the types of inline steps.',
    ),
    never('only-the-store-names-tables', { path: '^src/', pathNot: '^src/store/' }, '^src/store/update-row\\.ts$'),
    never(
      'nobody-imports-the-worker-or-the-command-line',
      { path: '^(src|local|bench)/', pathNot: '^src/(worker/|cli/|main\\.ts)' },
      '^src/(worker|cli)/',
    ),
    never(
      'the-service-imports-nothing-around-it',
      '^src/',
      '^(console|sandbox|local|bench|test|scripts|examples|clients)/',
    ),
    // The console runs in a browser and knows only the schema of the admin API, and leaves that a browser can load.
    {
      name: 'console-keeps-to-itself',
      severity: 'error',
      from: { path: '^console/' },
      to: {
        pathNot: [
          '^console/',
          '^src/basics/(page-colors|format-provider|format-account|key-use|codes|failures|failure-codes|post-details)\\.ts$',
          'node_modules/(react|react-dom|urql|wouter|@mantine/(core|hooks|form|notifications))/',
          TYPES_WITHOUT_CODE,
        ],
      },
    },
    never('nobody-imports-the-console', '^(sandbox|local|bench)/', '^console/'),
    never(
      'sandbox-shares-no-code-with-the-service',
      '^sandbox/',
      '^(src|console|local|bench|test)/',
      'The sandbox simulates the platforms: a shared mistake would not show.',
    ),
    never('the-local-stack-measures-and-tests-nothing', '^local/', '^(bench|test)/'),
    {
      name: 'providers-are-known-by-their-interface',
      comment: "A provider's folder holds everything specific to it; only the list of all providers imports it.",
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/providers/platforms\\.ts$|^src/providers/provider-[a-z]/' },
      to: { path: '^src/providers/provider-[a-z]/' },
    },
    {
      name: 'providers-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/providers/(provider-[a-z])/' },
      to: { path: '^src/providers/provider-[a-z]/', pathNot: '^src/providers/$1/' },
    },
    never(
      'kit-is-the-ground-floor-of-the-tests',
      '^test/kit/',
      { path: '^test/', pathNot: '^test/kit/' },
      'What several folders of tests share is in kit.',
    ),
    {
      name: 'production-needs-no-development-package',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'every-package-is-declared',
      severity: 'error',
      from: { path: '^(src|console|sandbox|local)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    never('no-circles', {}, { circular: true }, 'Not even of types.'),
    {
      name: 'every-import-resolves',
      severity: 'error',
      from: { path: '^(src|console|sandbox|local)/' },
      to: { couldNotResolve: true, pathNot: TYPES_WITHOUT_CODE },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
