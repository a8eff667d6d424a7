import { verifyWebhooks } from 'verify-webhooks'
import { NotebookApp } from './notebook-app.ts'

const { API_KEY, PACKAGE_NAME = 'dev.example.notebook', PORT = '7013' } = process.env

const port = Number(PORT)
if (!API_KEY) {
  console.error('notebook: set API_KEY to the key that "cli app register" printed')
  process.exit(1)
}
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`notebook: PORT must be a port number from 1 to 65535 (got "${PORT}")`)
  process.exit(1)
}

const server = new NotebookApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port })
verifyWebhooks(server, API_KEY)
// The server listens immediately; the promise also waits for the SDK's version check, which may take seconds.
await server.start()
