import {
  AppServer,
  type AppSession,
  type CalendarEvent,
  DashboardMode,
  type DashboardSystemAPI,
} from '@mentra/sdk'

/**
 * Fills the corners of the dashboard, which only the package that the cloud names as its system dashboard may, and
 * switches between its two modes.
 */
export class DashboardApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    const { system, content } = session.dashboard
    if (!system) return log('this package is not the system dashboard; set SYSTEM_DASHBOARD_PACKAGE_NAME')
    showTime(session, system)
    showBattery(session, system)
    showAppointment(session, system)
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

/** The phone fills in the time itself, so that the corner never is late. */
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

function showAppointment({ events }: AppSession, system: DashboardSystemAPI): void {
  let next: CalendarEvent | undefined
  events.onCalendarEvent((event) => {
    if (hasBegun(event) || (next && !hasBegun(next) && next.dtStart <= event.dtStart)) return
    next = event
    system.setBottomRight(event.title)
  })
}

function hasBegun({ dtStart }: CalendarEvent): boolean {
  return Date.parse(dtStart) < Date.now()
}

/** One line a happening, without what the wearer has planned. */
function log(line: string): void {
  console.log(`dashboard: ${line}`)
}
