/**
 * An app on the unmodified SDK that shows who touched the glasses, how often, and their battery; a swipe down shows a picture.
 */
import { AppServer, type AppSession, AppToCloudMessageType, LayoutType, ViewType } from '@mentra/sdk'
import { greyPicture } from './grey-picture.ts'

const { API_KEY = '', PACKAGE_NAME = '', PORT = '' } = process.env

/** Touches of each user, also over restarts of their sessions. */
const counts = new Map<string, number>()

class TouchedApp extends AppServer {
  protected override async onSession(session: AppSession, _sessionId: string, userId: string): Promise<void> {
    const [name = ''] = userId.split('@')
    const greet = () => session.layouts.showTextWall(`${name} is ready`)
    greet()
    // After a loss of the connection, whose session continues.
    session.events.onConnected(greet)
    session.events.onTouchEvent(({ gesture_name }) => {
      if (gesture_name === 'down_swipe') return showPicture(session)
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      const battery = session.device.state.batteryLevel.value
      session.layouts.showTextWall(
        `${name}: ${gesture_name.replace('_', ' ')} number ${count}\nbattery ${battery ?? 'unknown'}`,
      )
    })
  }
}

/** As a message: the layouts of the SDK take pictures with one bit per pixel only. */
function showPicture(session: AppSession): void {
  session.sendMessage({
    type: AppToCloudMessageType.DISPLAY_REQUEST,
    packageName: PACKAGE_NAME,
    view: ViewType.MAIN,
    layout: { layoutType: LayoutType.BITMAP_VIEW, data: greyPicture().toString('base64') },
  })
}

await new TouchedApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port: Number(PORT) }).start()
