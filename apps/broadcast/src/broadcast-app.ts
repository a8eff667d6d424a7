import { AppServer, type AppServerConfig, type AppSession } from '@mentra/sdk'

/** Starts or stops a managed stream at a short press of the button; a long press logs the state of the stream. */
export class BroadcastApp extends AppServer {
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
