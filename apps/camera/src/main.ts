import { AppServer, type AppSession } from '@mentra/sdk'
import { verifyWebhooks } from 'verify-webhooks'

/** Takes a photo when the user presses the button, and shows the result. */
class CameraApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    session.events.onButtonPress(({ pressType }) => {
      if (pressType === 'short') void takePhoto(session)
    })
    session.layouts.showTextWall('Press the button to take a photo')
    log('session started')
  }
}

async function takePhoto(session: AppSession): Promise<void> {
  try {
    const { size, mimeType } = await session.camera.requestPhoto({ saveToGallery: true, size: 'small' })
    log(`photo taken: ${mimeType}, ${size} bytes`)
    session.layouts.showTextWall('Photo taken')
  } catch (reason) {
    // The SDK rejects with a string, not with an Error.
    log(`photo failed: ${reason}`)
    session.layouts.showTextWall('Photo failed')
  }
}

/** Logs one line. Never contains names. */
function log(line: string): void {
  console.log(`camera: ${line}`)
}

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
