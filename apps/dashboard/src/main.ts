import {
  AppServer,
  type AppSession,
  type CalendarEvent,
  DashboardMode,
  type DashboardSystemAPI,
} from '@mentra/sdk'
import { verifyWebhooks } from 'verify-webhooks'

/**
 * Fills the corners of the dashboard and switches between its two modes. Only the app named by
 * `SYSTEM_DASHBOARD_PACKAGE_NAME` may do so.
 */
class DashboardApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    const { system, content } = session.dashboard
    if (!system) return log('not the system dashboard: set SYSTEM_DASHBOARD_PACKAGE_NAME to this package')
    showTime(session, system)
    showBattery(session, system)
    showNextEvent(session, system)
    session.events.onTouchEvent('double_tap', async () => {
      const expanded = (await content.getCurrentMode()) === DashboardMode.EXPANDED
      system.setViewMode(expanded ? DashboardMode.MAIN : DashboardMode.EXPANDED)
    })
    log('session started')
  }

  protected override async onStop(sessionId: string, userId: string, reason: string): Promise<void> {
    await super.onStop(sessionId, userId, reason)
    log(`session stopped: ${reason}`)
  }
}

/** Uses a placeholder that the phone replaces, so that the time is always current. */
function showTime({ events }: AppSession, system: DashboardSystemAPI): void {
  system.setTopLeft('$TIME24$')
  events.onCustomMessage('update_datetime', ({ datetime }: { datetime: string }) =>
    system.setBottomLeft(datetime.slice(0, 10)),
  )
}

function showBattery({ device }: AppSession, system: DashboardSystemAPI): void {
  const { batteryLevel } = device.state
  const show = (level: number | null) => system.setTopRight(level === null ? '' : `${level} %`)
  show(batteryLevel.valueOf())
  batteryLevel.onChange(show)
}

function showNextEvent({ events }: AppSession, system: DashboardSystemAPI): void {
  let next: CalendarEvent | undefined
  events.onCalendarEvent((event) => {
    if (hasStarted(event) || (next && !hasStarted(next) && next.dtStart <= event.dtStart)) return
    next = event
    system.setBottomRight(event.title)
  })
}

function hasStarted({ dtStart }: CalendarEvent): boolean {
  return Date.parse(dtStart) < Date.now()
}

/** Logs one line. Never contains calendar events. */
function log(line: string): void {
  console.log(`dashboard: ${line}`)
}

const { API_KEY, PACKAGE_NAME = 'system.augmentos.dashboard', PORT = '7015' } = process.env

const port = Number(PORT)
if (!API_KEY) {
  console.error('dashboard: set API_KEY to the key that "cli app register" printed')
  process.exit(1)
}
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`dashboard: PORT must be a port number from 1 to 65535 (got "${PORT}")`)
  process.exit(1)
}

const server = new DashboardApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port })
verifyWebhooks(server, API_KEY)
// The server listens immediately; the promise also waits for the SDK's version check, which may take seconds.
await server.start()
