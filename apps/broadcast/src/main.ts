import { verifyWebhooks } from 'verify-webhooks'
import { BroadcastApp } from './broadcast-app.ts'

const { API_KEY, PACKAGE_NAME = 'dev.example.broadcast', PORT = '7012', RESTREAM_URLS = '' } = process.env

const port = Number(PORT)
if (!API_KEY) {
  console.error('broadcast: set API_KEY to the key that "cli app register" printed')
  process.exit(1)
}
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`broadcast: PORT must be a port number from 1 to 65535 (got "${PORT}")`)
  process.exit(1)
}

const destinations = RESTREAM_URLS.split(/[\s,]+/).filter(Boolean)
if (!destinations.every((url) => /^rtmps?:\/\/[^/]/.test(url))) {
  console.error('broadcast: RESTREAM_URLS must be a comma-separated list of rtmp:// or rtmps:// URLs')
  process.exit(1)
}

const server = new BroadcastApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port }, destinations)
verifyWebhooks(server, API_KEY)
// The server listens immediately; the promise also waits for the SDK's version check, which may take seconds.
await server.start()
