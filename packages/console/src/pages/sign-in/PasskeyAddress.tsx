/** Addresses of this machine, at which browsers have no passkeys; they do at `localhost`. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/

/** Leads to the same page at `localhost`, where the console was opened at an IP address of this machine. */
export function PasskeyAddress() {
  const { hostname, href } = window.location
  if (!LOOPBACK.test(hostname)) return null
  const url = new URL(href)
  url.hostname = 'localhost'
  return (
    <p className="muted">
      Browsers have no passkeys at an IP address. <a href={url.href}>Open {url.origin} to use passkeys</a>
    </p>
  )
}
