import { DashboardApp } from './dashboard-app.ts'

const { API_KEY, PACKAGE_NAME = 'system.augmentos.dashboard', PORT = '7015' } = process.env

const port = Number(PORT)
if (!API_KEY) {
  console.error('dashboard: set API_KEY to the key that "cli app register" printed')
  process.exit(1)
}
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`dashboard: PORT is a port number, 1 to 65535; it is "${PORT}"`)
  process.exit(1)
}

// Serves from the first moment; the promise waits for a look at the SDK's newest version, which may take seconds.
await new DashboardApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port }).start()
