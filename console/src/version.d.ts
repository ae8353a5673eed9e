/** The version of the service. The build puts it here; see scripts/console.mjs. */
declare const CONSOLE_VERSION: string;
