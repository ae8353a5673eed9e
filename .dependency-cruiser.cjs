// The rules for imports between layers. `import type` may cross layers freely; other imports may not.

/** Every layer may import these; they import nothing of ours. */
const LEAVES = '^src/(errors|ids|secret|database-url|page-colors|format-provider)\\.ts$';

/** Every layer records spans and counts, through OpenTelemetry's API only, which does nothing until the SDK is loaded. */
const TELLING = '^src/telemetry/(tracing|instruments)\\.ts$';

/** The types of the generated operations; these files contain no code. */
const TYPES_WITHOUT_CODE = '^@graphql-typed-document-node/core$';

/**
 * A folder's own code may import itself, the leaves and the matches of `allowed`, nothing more. Its `main.ts` assembles the
 * parts and may import anything, as does `worker/deps.ts`.
 */
const layer = (name, ...allowed) => ({
  name: `${name}-keeps-to-itself`,
  severity: 'error',
  from: { path: `^src/${name}/`, pathNot: `^src/(${name}/main|worker/deps)\\.ts$` },
  to: { pathNot: [LEAVES, `^src/${name}/`, ...allowed], dependencyTypesNot: ['type-only'] },
});

module.exports = {
  forbidden: [
    // Workflows are deterministic: no clock, network or environment, and no import of ours that reaches one.
    layer('workflows', 'node_modules/@temporalio/(workflow|common)/', '^src/providers/provider\\.ts$'),
    {
      name: 'the-contract-of-the-workflows-is-a-leaf',
      comment: 'Contains names, inputs and signals only, so that code that starts a workflow does not load workflows.',
      severity: 'error',
      from: { path: '^src/workflows/contract\\.ts$' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    layer(
      'activities',
      'node_modules/',
      '^(crypto|timers/promises)$',
      '^src/(domain|store|vault|identity|webhooks)/',
      '^src/outbox/(dispatches|start-workflow)\\.ts$',
      '^src/(log|log-outage)\\.ts$',
      TELLING,
      '^src/workflows/contract\\.ts$',
      '^src/providers/(provider|facts|catalog)\\.ts$',
    ),
    // The domain decides, in a transaction that its caller opens. No HTTP, GraphQL, Temporal client or provider call.
    layer(
      'domain',
      'node_modules/zod/',
      '^(crypto|zlib)$',
      '^src/(store|vault|journal|webhooks)/',
      '^src/generated/admin-operations\\.ts$',
      '^src/outbox/dispatches\\.ts$',
      '^src/workflows/contract\\.ts$',
      '^src/providers/(provider|facts|catalog)\\.ts$',
      '^src/telemetry/instruments\\.ts$',
    ),
    layer('providers', 'node_modules/(zod|undici)/', '^(crypto|dns|net)$', TELLING),
    layer(
      'store',
      'node_modules/(postgres|zod)/',
      '^(crypto|path|fs|fs/promises|net|events|timers/promises)$',
      '^src/providers/provider\\.ts$',
      '^src/webhooks/(event-types|delivery-failures)\\.ts$',
    ),
    // Everything that is signed and sent to callers.
    layer('webhooks', 'node_modules/zod/', '^crypto$', '^src/providers/(answers|provider|public-address)\\.ts$'),
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
    layer(
      'outbox',
      '^timers/promises$',
      'node_modules/@temporalio/(client|common)/',
      '^src/(store/|(log|workflows/contract)\\.ts$)',
      '^timers/promises$',
      TELLING,
    ),
    {
      name: 'only-the-outbox-starts-workflows',
      severity: 'error',
      from: {
        path: '^src/(api|activities|domain|store|vault|identity|providers|journal|workflows)/',
        pathNot: '^src/api/main\\.ts$',
      },
      to: { path: 'node_modules/@temporalio/client/', dependencyTypesNot: ['type-only'] },
    },
    layer(
      'telemetry',
      'node_modules/(@opentelemetry|@temporalio/common)/',
      '^(http|timers/promises)$',
      '^src/(log|workflows/(contract|trace-header)|providers/provider)\\.ts$',
    ),
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
      '^src/(generated|domain|store|identity|webhooks)/',
      '^src/outbox/dispatches\\.ts$',
      TELLING,
      '^src/(config|log|log-outage|workflows/contract|providers/(provider|facts|catalog|authorization-response)|vault/(seal|associated-data))\\.ts$',
    ),
    {
      name: 'nobody-imports-the-api',
      comment: 'The api serves callers; the domain holds the rules.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(api/|main\\.ts|generated/)' },
      to: { path: '^src/api/' },
    },
    {
      name: 'nobody-imports-the-worker-or-the-command-line',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(worker/|cli/|main\\.ts)' },
      to: { path: '^src/(worker|cli)/' },
    },
    layer(
      'cli',
      'node_modules/(@temporalio/client|zod|postgres)/',
      '^(crypto|fs|fs/promises|path|readline|readline/promises|timers/promises|util)$',
      '^src/(domain|store|vault|journal|outbox|webhooks)/',
      // `try-provider` calls a platform with an adapter and nothing else of the service.
      '^(events|http|stream)$',
      '^src/providers/(adapters|answers|http|json|scrub-text|unexpected-answers)\\.ts$',
      // An import calls the providers as the worker does.
      '^src/(activities/import-connection|worker/deps|shutdown-signal)\\.ts$',
      '^src/(config|log|temporal|workflows/contract|providers/(provider|facts|catalog))\\.ts$',
    ),
    layer(
      'worker',
      'node_modules/(@temporalio/(worker|client|common)|hono|@hono/node-server)/',
      '^(http|net|fs|path|timers/promises)$',
      '^src/(activities|workflows|outbox|store|telemetry)/',
      '^src/(config|log|log-outage|temporal|temporal-settings|shutdown-signal|providers/(provider|catalog|count-calls))\\.ts$',
    ),
    // The console runs in a browser and knows only the schema of the admin API.
    layer(
      'console',
      'node_modules/(react|react-dom|urql|wouter|@mantine/(core|hooks|form|notifications))/',
      TYPES_WITHOUT_CODE,
    ),
    {
      name: 'nobody-imports-the-console',
      severity: 'error',
      from: { path: '^src/', pathNot: '^console/src/' },
      to: { path: '^console/src/' },
    },
    // The sandbox simulates the platforms and shares no code with the service: a shared mistake would not show.
    {
      name: 'sandbox-shares-no-code-with-the-service',
      severity: 'error',
      from: { path: '^sandbox/src/' },
      to: { path: '^src/', pathNot: '^sandbox/src/' },
    },
    {
      name: 'nobody-imports-the-sandbox',
      comment: 'Except the local stack, which registers its clients.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(sandbox|local)/' },
      to: { path: '^sandbox/src/' },
    },
    {
      name: 'nobody-imports-the-local-stack',
      severity: 'error',
      from: { path: '^src/', pathNot: '^local/src/' },
      to: { path: '^local/src/' },
    },
    {
      name: 'providers-are-known-by-their-interface',
      comment: "A provider's folder holds everything specific to it; only the lists of all providers import it.",
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/providers/(catalog|adapters)\\.ts$|^src/providers/provider-[a-z]/' },
      to: { path: '^src/providers/provider-[a-z]/' },
    },
    {
      name: 'providers-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/providers/(provider-[a-z])/' },
      to: { path: '^src/providers/provider-[a-z]/', pathNot: '^src/providers/$1/' },
    },
    {
      name: 'leaves-import-nothing-of-ours',
      severity: 'error',
      from: { path: LEAVES },
      to: { path: '^src/', pathNot: LEAVES },
    },
    {
      name: 'production-needs-no-development-package',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(console|local|sandbox)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'every-package-is-declared',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'every-import-resolves',
      severity: 'error',
      from: {},
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
