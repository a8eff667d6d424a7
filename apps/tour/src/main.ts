import { verifyWebhooks } from 'verify-webhooks'
import { TourApp } from './tour-app.ts'

const { API_KEY, PACKAGE_NAME = 'dev.example.tour', PORT = '7014', PUBLIC_URL } = process.env

const port = Number(PORT)
if (!API_KEY) {
  console.error('tour: set API_KEY to the key that "cli app register" printed')
  process.exit(1)
}
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`tour: PORT must be a port number from 1 to 65535 (got "${PORT}")`)
  process.exit(1)
}

const publicUrl = PUBLIC_URL ?? `http://127.0.0.1:${port}`
const server = new TourApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port, publicUrl })
verifyWebhooks(server, API_KEY)
// The server listens immediately; the promise also waits for the SDK's version check, which may take seconds.
await server.start()
