import { AppServer, type AppServerConfig, type AppSession } from '@mentra/sdk'
import { verifyWebhooks } from 'verify-webhooks'

/** Starts or stops a managed stream at a short press of the button; a long press logs the state of the stream. */
class BroadcastApp extends AppServer {
  readonly #destinations: readonly string[]

  /** @param destinations URLs that the stream is forwarded to, stream keys included */
  constructor(config: AppServerConfig, destinations: readonly string[]) {
    super(config)
    this.#destinations = destinations
  }

  protected override async onSession(session: AppSession): Promise<void> {
    session.camera.onManagedStreamStatus(({ status, message, outputs = [] }) => {
      log(`stream ${status}${message === undefined ? '' : `: ${message}`}`)
      for (const output of outputs) log(`${output.name}: ${output.status} ${output.error ?? ''}`.trim())
    })
    session.events.onButtonPress(({ pressType }) => {
      if (pressType === 'long') void logStreamState(session)
      else if (session.camera.isManagedStreamActive()) void session.camera.stopManagedStream()
      else void goLive(session, this.#destinations)
    })
    log('session started')
    session.layouts.showTextWall('Press the button to go live')
  }
}

async function goLive(session: AppSession, destinations: readonly string[]): Promise<void> {
  try {
    const { hlsUrl, dashUrl, previewUrl } = await session.camera.startManagedStream({
      quality: '720p',
      restreamDestinations: destinations.map((url) => ({ url, name: new URL(url).hostname })),
    })
    log(`live at ${hlsUrl} and ${dashUrl}`)
    if (previewUrl !== undefined) log(`watch at ${previewUrl}`)
  } catch (reason) {
    log(`failed to go live: ${reason}`)
  }
}

async function logStreamState(session: AppSession): Promise<void> {
  const { hasActiveStream, streamInfo } = await session.camera.checkExistingStream()
  log(hasActiveStream ? `${streamInfo?.type} stream, ${streamInfo?.status}` : 'no active stream')
}

/** Logs one line. Never contains names. */
function log(line: string): void {
  console.log(`broadcast: ${line}`)
}

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
