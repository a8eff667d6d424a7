import { AppServer, type AppSession } from '@mentra/sdk'

/** Takes a photo when the wearer presses the button, and says on the lens how that went. */
export class CameraApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    session.events.onButtonPress(({ pressType }) => {
      if (pressType === 'short') void takePhoto(session)
    })
    session.layouts.showTextWall('Press the button to take a photo')
    log('session started, waiting for the button')
  }
}

async function takePhoto(session: AppSession): Promise<void> {
  try {
    const { size, mimeType } = await session.camera.requestPhoto({ saveToGallery: true, size: 'small' })
    log(`took a photo: ${mimeType}, ${size} bytes`)
    session.layouts.showTextWall('Photo taken')
  } catch (reason) {
    // The SDK rejects with a sentence, not with an error.
    log(`took no photo: ${reason}`)
    session.layouts.showTextWall('No photo')
  }
}

/** One line a happening, without names. */
function log(line: string): void {
  console.log(`camera: ${line}`)
}
