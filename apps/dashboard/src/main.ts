import { verifyWebhooks } from 'verify-webhooks'
import { DashboardApp } from './dashboard-app.ts'

const { API_KEY, PACKAGE_NAME = 'system.augmentos.dashboard', PORT = '7015' } = process.env

const port = Number(PORT)
if (!API_KEY) {
  console.error('dashboard: set API_KEY to the key that "cli app register" printed')
  process.exit(1)
}
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`dashboard: PORT must be a port number from 1 to 65535 (got "${PORT}")`)
  process.exit(1)
}

const server = new DashboardApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port })
verifyWebhooks(server, API_KEY)
// The server listens immediately; the promise also waits for the SDK's version check, which may take seconds.
await server.start()
