import { AppServer, type AppSession } from '@mentra/sdk'

/** Starts or stops a managed stream at a short press of the button; a long press logs the state of the stream. */
export class BroadcastApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    session.camera.onManagedStreamStatus(({ status, message }) =>
      log(`stream ${status}${message === undefined ? '' : `: ${message}`}`),
    )
    session.events.onButtonPress(({ pressType }) => {
      if (pressType === 'long') void logStreamState(session)
      else if (session.camera.isManagedStreamActive()) void session.camera.stopManagedStream()
      else void goLive(session)
    })
    log('session started')
    session.layouts.showTextWall('Press the button to go live')
  }
}

async function goLive(session: AppSession): Promise<void> {
  try {
    const { hlsUrl, dashUrl } = await session.camera.startManagedStream({ quality: '720p' })
    log(`live at ${hlsUrl} and ${dashUrl}`)
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
