/** An app on the unmodified SDK that shows who touched the glasses, and how often. */
import { AppServer, type AppSession } from '@mentra/sdk'

const { API_KEY = '', PACKAGE_NAME = '', PORT = '' } = process.env

/** Touches of each user, also over restarts of their sessions. */
const counts = new Map<string, number>()

class TouchedApp extends AppServer {
  protected override async onSession(session: AppSession, _sessionId: string, userId: string): Promise<void> {
    const [name = ''] = userId.split('@')
    session.layouts.showTextWall(`${name} is ready`)
    session.events.onTouchEvent(({ gesture_name }) => {
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      session.layouts.showTextWall(`${name}: ${gesture_name.replace('_', ' ')} number ${count}`)
    })
  }
}

await new TouchedApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port: Number(PORT) }).start()
