import { verifyWebhooks } from 'verify-webhooks'
import { CaptionsApp } from './captions-app.ts'

const { API_KEY, PACKAGE_NAME = 'dev.example.captions', PORT = '7010', HOST = '0.0.0.0' } = process.env

const port = Number(PORT)
if (!API_KEY) {
  console.error('captions: set API_KEY to the key that "cli app register" printed')
  process.exit(1)
}
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`captions: PORT must be a port number from 1 to 65535 (got "${PORT}")`)
  process.exit(1)
}

const server = new CaptionsApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port })
verifyWebhooks(server, API_KEY)
// The SDK listens on all addresses.
const express = server.getExpressApp()
const { listen } = express
express.listen = (port: number, done: () => void) => listen(port, HOST, done)
// The server listens immediately; the promise also waits for the SDK's version check, which may take seconds.
await server.start()
