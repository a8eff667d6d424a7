import type { SchemeDeps } from '../../src/http/auth/index.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { createLog } from '../../src/http/log.ts'
import { Metrics } from '../../src/http/metrics.ts'
import { mount } from '../../src/http/mount.ts'
import { createServer } from '../../src/http/server.ts'

/** What no response may contain. */
export const INTERNALS =
  /\n\s+at |node:internal|node_modules|file:\/\/|\.ts\b|\.js:\d|SQLITE_|TypeError|RangeError|is not a function|ECONN/

/** An HTTP server with endpoints that authenticate nobody; inputs are injected. */
export async function serveEndpoints(endpoints: readonly Endpoint[]) {
  const server = createServer({
    log: createLog('silent'),
    metrics: new Metrics(undefined),
    strictTransport: false,
    trustProxy: false,
  })
  // No endpoint authenticates.
  mount(server, endpoints, {} as SchemeDeps)
  await server.ready()
  return server
}
