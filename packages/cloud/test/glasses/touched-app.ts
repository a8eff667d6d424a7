/**
 * An app on the unmodified SDK that shows who touched the glasses, how often, and their battery; a swipe down shows a picture.
 */

import { bmp } from '@glasses-cloud/phone/test/bmp'
import { AppServer, type AppSession, AppToCloudMessageType, LayoutType, ViewType } from '@mentra/sdk'

/** Smaller than the lens, and larger than one tile of it. */
const [WIDTH, HEIGHT] = [540, 140]

const LENS = { width: 576, height: 288 }

/** Fields in the 16 greys; no part of the picture looks like another. */
function shadeAt(x: number, y: number): number {
  return (Math.floor(x / 34) + 5 * Math.floor(y / 28)) % 16
}

/** The picture as a BMP file with 4 bits per pixel. */
function greyPicture(): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Array.from({ length: WIDTH }, (_, x) => shadeAt(x, y)),
  )
  const palette = Array.from({ length: 16 }, (_, shade) => [shade * 17, shade * 17, shade * 17] as const)
  return bmp({ bits: 4, rows, palette })
}

/** The shades of a lens with the picture in its middle, by rows from the top. */
export function shadesOnLens(): number[] {
  const [left, top] = [(LENS.width - WIDTH) / 2, (LENS.height - HEIGHT) / 2]
  return Array.from({ length: LENS.width * LENS.height }, (_, index) => {
    const [x, y] = [(index % LENS.width) - left, Math.floor(index / LENS.width) - top]
    return x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT ? 0 : shadeAt(x, y)
  })
}

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

if (import.meta.main)
  await new TouchedApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port: Number(PORT) }).start()
