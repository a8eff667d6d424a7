import { verifyWebhooks } from 'verify-webhooks'
import { CameraApp } from './camera-app.ts'

const { API_KEY, PACKAGE_NAME = 'dev.example.camera', PORT = '7011' } = process.env

const port = Number(PORT)
if (!API_KEY) {
  console.error('camera: set API_KEY to the key that "cli app register" printed')
  process.exit(1)
}
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`camera: PORT must be a port number from 1 to 65535 (got "${PORT}")`)
  process.exit(1)
}

const server = new CameraApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port })
verifyWebhooks(server, API_KEY)
// The server listens immediately; the promise also waits for the SDK's version check, which may take seconds.
await server.start()
