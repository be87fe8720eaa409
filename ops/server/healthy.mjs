// The health check of a container: exits with 0 if this process responds. /readyz says whether it should receive requests.
const TIMEOUT_MS = 4_000;

const isHealthy = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`, {
  signal: AbortSignal.timeout(TIMEOUT_MS),
}).then(
  (response) => response.ok,
  () => false,
);
process.exit(isHealthy ? 0 : 1);
