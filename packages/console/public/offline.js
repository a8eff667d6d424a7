// Opens the requested page once the cloud answers again.
const INTERVAL_MS = 3_000

async function reloadWhenReachable() {
  const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok) window.location.reload()
}

window.addEventListener('online', reloadWhenReachable)
setInterval(reloadWhenReachable, INTERVAL_MS)
