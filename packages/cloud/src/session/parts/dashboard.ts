import type { AppToCloud, CloudToApp, Layout } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import { LazyMap } from '../lazy-collections.ts'
import type { Peer } from '../peer.ts'
import { DisplayEvents } from './display-events.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionPart } from './part.ts'

type ContentUpdate = Extract<AppToCloud, { type: 'dashboard_content_update' }>

/** The dashboard view. The system dashboard sets its corners and its mode, apps its content (app-socket.md §2.1.2). */
export class Dashboard implements SessionPart {
  static readonly appHandlers: AppHandlers<Dashboard> = {
    dashboard_content_update: (part, message, { packageName }) => part.#setContent(packageName, message),
    dashboard_mode_change: (part, { mode }, from) => part.#asSystem(from, () => part.#setMode(mode)),
    dashboard_system_update: (part, { section, content }, from) =>
      part.#asSystem(from, () => {
        part.#sections[section] = content
        part.#draw()
      }),
  }
  static readonly glassesHandlers: GlassesHandlers<Dashboard> = {
    head_position: (part, message) => {
      if (message.position === 'up') part.#rotate()
      part.#context.publish('head_position', {}, message)
    },
  }

  readonly #context: SessionContext
  #mode: DashboardMode = 'main'
  readonly #sections: Sections = {}
  /** Content of apps for the main mode; the first is on display. */
  #main: { readonly packageName: string; readonly content: string }[] = []
  /** Content of apps for the expanded mode by package name; the last is on display. */
  readonly #expanded = new LazyMap<string, string>()

  constructor(context: SessionContext) {
    this.#context = context
  }

  onAppConnected(session: AppSession, peer: Peer): void {
    peer.send(this.#modeMessage(session))
  }

  onAppReset(packageName: string): void {
    if (packageName === this.#context.systemPackage) {
      for (const section of Object.keys(this.#sections)) delete this.#sections[section as keyof Sections]
      this.#setMode('main')
    }
    const hadContent =
      this.#main.some((entry) => entry.packageName === packageName) || this.#expanded.has(packageName)
    this.#main = this.#main.filter((entry) => entry.packageName !== packageName)
    this.#expanded.delete(packageName)
    if (hadContent || packageName === this.#context.systemPackage) this.#draw()
  }

  /** Puts new content first; content that replaces an app's older one keeps its position (DASH-4). */
  #setContent(packageName: string, { content, modes = ['main'] }: ContentUpdate): void {
    if (modes.includes('main')) {
      const index = this.#main.findIndex((entry) => entry.packageName === packageName)
      const [start, deleteCount] = index < 0 ? [0, 0] : [index, 1]
      this.#main.splice(start, deleteCount, ...(content === '' ? [] : [{ packageName, content }]))
    }
    if (modes.includes('expanded')) {
      this.#expanded.delete(packageName)
      if (content !== '') this.#expanded.set(packageName, content)
    }
    if (modes.includes(this.#mode)) this.#draw()
  }

  #rotate(): void {
    const [first, ...rest] = this.#main
    if (!first || rest.length === 0) return
    this.#main = [...rest, first]
    if (this.#mode === 'main') this.#draw()
  }

  #setMode(mode: DashboardMode): void {
    if (mode === this.#mode) return
    this.#mode = mode
    this.#context.sendToApps((session) => this.#modeMessage(session))
    this.#draw()
  }

  /** Runs `action` for the system dashboard and rejects every other app (DASH-6). */
  #asSystem({ packageName, peer }: AppSession, action: () => void): void {
    if (packageName === this.#context.systemPackage) return action()
    peer?.send({
      type: 'tpa_connection_error',
      code: 'PERMISSION_DENIED',
      message: 'Only the system dashboard can change the sections and the mode of the dashboard',
      timestamp: this.#context.timestamp(),
    } satisfies CloudToApp)
  }

  #draw(): void {
    const content = this.#mode === 'main' ? this.#main[0]?.content : [...this.#expanded.values()].at(-1)
    const isEmpty = content === undefined && Object.values(this.#sections).every((text) => text === '')
    const layout: Layout = isEmpty
      ? { layoutType: 'clear_view' }
      : dashboardLayout(this.#mode, this.#sections, content ?? '')
    this.#context.part(DisplayEvents).display.setContent(this.#context.systemPackage, 'dashboard', layout)
  }

  #modeMessage({ sessionId }: AppSession): CloudToApp {
    return {
      type: 'dashboard_mode_changed',
      mode: this.#mode,
      sessionId,
      timestamp: this.#context.timestamp(),
    }
  }
}

type DashboardMode = Extract<AppToCloud, { type: 'dashboard_mode_change' }>['mode']

type Section = Extract<AppToCloud, { type: 'dashboard_system_update' }>['section']

/** The texts in the corners of the dashboard. */
type Sections = { [Name in Section]?: string }

/**
 * Builds the layout of the dashboard (app-socket.md §2.1.2).
 * @param content the content of an app; may be empty
 */
function dashboardLayout(mode: DashboardMode, sections: Sections, content: string): Layout {
  const { topLeft = '', topRight = '', bottomLeft = '', bottomRight = '' } = sections
  if (mode === 'expanded') {
    const text = `${topLeft} | ${topRight}\n${content || 'No expanded content available'}`
    return { layoutType: 'text_wall', text }
  }
  const belowRight = bottomRight === '' ? content : `${bottomRight}\n\n${content}`
  return {
    layoutType: 'double_text_wall',
    topText: `${topLeft}\n${bottomLeft}`,
    bottomText: `${topRight}\n${belowRight}`,
  }
}
