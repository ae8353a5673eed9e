// The container's health check: the process that runs here, api or worker, must answer on its port. An argument names
// another path, such as /readyz.
// biome-ignore lint/style/noProcessEnv: reads the same port variables as the service.
const { API_PORT = '8080', WORKER_HEALTH_PORT = '8081' } = process.env;
const path = process.argv[2] ?? '/healthz';

const asked = [API_PORT, WORKER_HEALTH_PORT].map(async (port) => {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4_000) });
  if (!ok) throw new Error(`Port ${port} answers ${status}.`);
});
try {
  await Promise.any(asked);
} catch {
  process.exitCode = 1;
}
