import type { AppToCloud, CloudToApp, Layout } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { Display } from '../display/display.ts'
import type { Peer } from '../peer.ts'
import { compose, type DashboardMode, type Sections } from './dashboard-layout.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionFeature } from './feature.ts'

type ContentUpdate = Extract<AppToCloud, { type: 'dashboard_content_update' }>

/**
 * The dashboard of the lens: its corners and its mode are the system dashboard's, the room in between the apps'
 * (app socket protocol, 2.1.2).
 */
export class Dashboard implements SessionFeature {
  readonly #context: SessionContext
  readonly #display: Display
  #mode: DashboardMode = 'main'
  readonly #sections: Sections = {}
  /** What apps show in the main mode, the one shown now first. */
  #main: { readonly packageName: string; readonly content: string }[] = []
  /** What apps show in the expanded mode, the newest last. */
  readonly #expanded = new Map<string, string>()
  static readonly appHandlers: AppHandlers<Dashboard> = {
    dashboard_content_update: (feature, message, { packageName }) => feature.#write(packageName, message),
    dashboard_mode_change: (feature, { mode }, from) =>
      feature.#asSystem(from, () => feature.#switchTo(mode)),
    dashboard_system_update: (feature, { section, content }, from) =>
      feature.#asSystem(from, () => {
        feature.#sections[section] = content
        feature.#draw()
      }),
  }
  static readonly glassesHandlers: GlassesHandlers<Dashboard> = {
    head_position: (feature, message) => {
      if (message.position === 'up') feature.#rotate()
      feature.#context.publish('head_position', {}, message)
    },
  }

  constructor(context: SessionContext, display: Display) {
    this.#context = context
    this.#display = display
  }

  /** An app knows the mode from the beginning. */
  onAppConnected(session: AppSession, peer: Peer): void {
    peer.send(this.#modeFor(session))
  }

  onAppReset(packageName: string): void {
    if (packageName === this.#context.systemPackage) {
      for (const section of Object.keys(this.#sections)) delete this.#sections[section as keyof Sections]
      this.#switchTo('main')
    }
    const had =
      this.#main.some((entry) => entry.packageName === packageName) || this.#expanded.has(packageName)
    this.#main = this.#main.filter((entry) => entry.packageName !== packageName)
    this.#expanded.delete(packageName)
    if (had || packageName === this.#context.systemPackage) this.#draw()
  }

  /** New content comes first; what an app had there already keeps its place. */
  #write(packageName: string, { content, modes = ['main'] }: ContentUpdate): void {
    if (modes.includes('main')) {
      const own = this.#main.findIndex((entry) => entry.packageName === packageName)
      const [at, replaced] = own < 0 ? [0, 0] : [own, 1]
      this.#main.splice(at, replaced, ...(content === '' ? [] : [{ packageName, content }]))
    }
    if (modes.includes('expanded')) {
      this.#expanded.delete(packageName)
      if (content !== '') this.#expanded.set(packageName, content)
    }
    if (modes.includes(this.#mode)) this.#draw()
  }

  #rotate(): void {
    const [shown, ...next] = this.#main
    if (!shown || next.length === 0) return
    this.#main = [...next, shown]
    if (this.#mode === 'main') this.#draw()
  }

  #switchTo(mode: DashboardMode): void {
    if (mode === this.#mode) return
    this.#mode = mode
    this.#context.sendToApps((session) => this.#modeFor(session))
    this.#draw()
  }

  #asSystem({ packageName, peer }: AppSession, act: () => void): void {
    if (packageName === this.#context.systemPackage) return act()
    peer?.send({
      type: 'tpa_connection_error',
      code: 'PERMISSION_DENIED',
      message: 'The system dashboard alone may change the corners and the mode of the dashboard',
      timestamp: this.#context.timestamp(),
    } satisfies CloudToApp)
  }

  #draw(): void {
    const content = this.#mode === 'main' ? this.#main[0]?.content : [...this.#expanded.values()].at(-1)
    const empty = content === undefined && Object.values(this.#sections).every((text) => text === '')
    const layout: Layout = empty
      ? { layoutType: 'clear_view' }
      : compose(this.#mode, this.#sections, content ?? '')
    this.#display.request(this.#context.systemPackage, 'dashboard', layout)
  }

  #modeFor({ sessionId }: AppSession): CloudToApp {
    return {
      type: 'dashboard_mode_changed',
      mode: this.#mode,
      sessionId,
      timestamp: this.#context.timestamp(),
    }
  }
}
