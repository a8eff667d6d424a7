import { AppServer, type AppSession } from '@mentra/sdk'

/** Goes live when the wearer presses the button, and off air at the next press; a long press asks how it stands. */
export class BroadcastApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    session.camera.onManagedStreamStatus(({ status, message }) =>
      log(`the stream is ${status}${message === undefined ? '' : `: ${message}`}`),
    )
    session.events.onButtonPress(({ pressType }) => {
      if (pressType === 'long') void look(session)
      else if (session.camera.isManagedStreamActive()) void session.camera.stopManagedStream()
      else void goLive(session)
    })
    log('session started, waiting for the button')
    session.layouts.showTextWall('Press the button to go live')
  }
}

async function goLive(session: AppSession): Promise<void> {
  try {
    const { hlsUrl, dashUrl } = await session.camera.startManagedStream({ quality: '720p' })
    log(`live at ${hlsUrl} and ${dashUrl}`)
  } catch (reason) {
    log(`not live: ${reason}`)
  }
}

async function look(session: AppSession): Promise<void> {
  const { hasActiveStream, streamInfo } = await session.camera.checkExistingStream()
  log(hasActiveStream ? `there is a ${streamInfo?.type} stream, ${streamInfo?.status}` : 'there is no stream')
}

/** One line a happening, without names. */
function log(line: string): void {
  console.log(`broadcast: ${line}`)
}
