import { AppServer, type AppSession } from '@mentra/sdk'

/** Takes a photo when the user presses the button, and shows the result. */
export class CameraApp extends AppServer {
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
