import { BLANK_LAYOUT, type Layout, type View } from '@glasses-cloud/contract'
import type { Clock, Timer } from '../../time/index.ts'
import { LazyMap, LazySet } from '../lazy-collections.ts'
import type { SessionTiming } from '../timing.ts'
import { DisplayContent, type Rendering } from './display-content.ts'
import { DisplayLock } from './display-lock.ts'

export interface DisplayDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  /** The package name that owns the boot screen. */
  readonly systemPackage: string
  /** Whether the glasses may still show content from before this display was created. */
  readonly mayShowOldContent: boolean
  /** Whether glasses are connected that would receive a display event now. */
  isConnected(): boolean
  show(packageName: string, view: View, layout: Layout): void
}

/** A sentence of the cloud. */
interface Notice {
  readonly title: string
  readonly text: string
  readonly until: number
}

const BLANK: Rendering = {
  packageName: '',
  layout: BLANK_LAYOUT,
  key: 'blank',
  until: Number.POSITIVE_INFINITY,
}

/**
 * Decides what the glasses show (decision L3, app-socket.md §2.7). The display keeps the latest content of every app
 * and derives the rendering of each view from it and the time. A rendering is sent when it differs from the last one
 * sent, at most one every `displayIntervalMs`. So a newer rendering replaces one that waits, the last one is always
 * delivered, and content without a duration reappears when the content that covered it expires.
 */
export class Display {
  readonly #deps: DisplayDeps
  readonly #mainContents = new LazyMap<string, DisplayContent>()
  readonly #dashboardContents = new LazyMap<string, DisplayContent>()
  readonly #bootScreens = new LazyMap<string, { readonly name: string; readonly until: number }>()
  readonly #notices = new LazyMap<string, Notice>()
  readonly #lock: DisplayLock
  /** The key of the rendering that each view shows; absent if unknown. */
  readonly #shownKeys = new Map<View, unknown>([
    ['main', BLANK.key],
    ['dashboard', BLANK.key],
  ])
  /** The views that may show something else than the glasses show after power-on. */
  readonly #touchedViews = new LazySet<View>()
  /** The order in which views are sent when both changed: the one that was sent longest ago comes first. */
  #viewOrder: readonly View[] = ['main', 'dashboard']
  #mainApp: string | undefined
  #nextSendAt = 0
  #updateTimer: Timer | undefined

  constructor(deps: DisplayDeps) {
    this.#deps = deps
    this.#lock = new DisplayLock(deps.timing)
    if (deps.mayShowOldContent) this.#touchedViews.add('main')
    this.#forgetShown()
  }

  /** Sets the main app, which is the running standard app. */
  setMainApp(packageName: string | undefined): void {
    this.#mainApp = packageName
    if (packageName !== undefined) this.#lock.release(packageName)
    this.#update()
  }

  /** Shows the boot screen of an app that is starting. It covers all other content of the main view. */
  showBootScreen(packageName: string, name: string): void {
    const until = this.#deps.clock.monotonicNow() + this.#deps.timing.bootScreenMs
    this.#bootScreens.set(packageName, { name, until })
    this.#update()
  }

  /** Shows a sentence of the cloud about an app for some seconds. Like a boot screen, it covers the main view. */
  showNotice(packageName: string, title: string, text: string): void {
    const until = this.#deps.clock.monotonicNow() + this.#deps.timing.noticeMs
    this.#notices.set(packageName, { title, text, until })
    this.#update()
  }

  /** Sets the content of an app for a view. `clear_view` removes it. */
  setContent(packageName: string, view: View, layout: Layout, durationMs?: number | null): void {
    const now = this.#deps.clock.monotonicNow()
    const contents = view === 'main' ? this.#mainContents : this.#dashboardContents
    const content =
      layout.layoutType === 'clear_view' ? undefined : new DisplayContent(packageName, layout, durationMs)
    contents.delete(packageName) // Moves the app to the end: the last content is the newest.
    if (content) contents.set(packageName, content)
    if (view === 'main' && packageName !== this.#mainApp) {
      if (content) this.#lock.request(packageName, now)
      else this.#lock.release(packageName)
    }
    this.#update()
  }

  /** Removes everything that belongs to an app. */
  removeApp(packageName: string): void {
    this.#mainContents.delete(packageName)
    this.#dashboardContents.delete(packageName)
    this.#bootScreens.delete(packageName)
    this.#lock.release(packageName)
    if (this.#mainApp === packageName) this.#mainApp = undefined
    this.#update()
  }

  /** Sends every view again that was ever drawn, because glasses connected that may have missed something. */
  resync(): void {
    this.#forgetShown()
    this.#update()
  }

  /** Forgets blank views too: the message that cleared them may have been lost. */
  #forgetShown(): void {
    for (const view of this.#touchedViews) this.#shownKeys.delete(view)
  }

  #update(): void {
    this.#updateTimer?.cancel()
    this.#updateTimer = undefined
    if (!this.#deps.isConnected()) return
    const now = this.#deps.clock.monotonicNow()
    this.#removeExpired(now)
    let nextUpdateAt = Number.POSITIVE_INFINITY
    for (const view of this.#viewOrder) {
      const rendering = this.#render(view, now)
      if (this.#shownKeys.get(view) !== rendering.key) {
        if (now < this.#nextSendAt) {
          nextUpdateAt = Math.min(nextUpdateAt, this.#nextSendAt)
          continue
        }
        this.#nextSendAt = now + this.#deps.timing.displayIntervalMs
        this.#shownKeys.set(view, rendering.key)
        this.#touchedViews.add(view)
        this.#viewOrder = [...this.#viewOrder.filter((other) => other !== view), view]
        rendering.onSent?.(now)
        this.#deps.show(rendering.packageName || this.#deps.systemPackage, view, rendering.layout)
      }
      nextUpdateAt = Math.min(nextUpdateAt, this.#render(view, now).until)
    }
    if (nextUpdateAt !== Number.POSITIVE_INFINITY) {
      this.#updateTimer = this.#deps.clock.after(Math.max(nextUpdateAt - now, 0), () => this.#update())
    }
  }

  #render(view: View, now: number): Rendering {
    if (view === 'dashboard') return newest(this.#dashboardContents)?.render(now) ?? BLANK
    const ownScreen = this.#renderBootScreen() ?? this.#renderNotice()
    if (ownScreen) return ownScreen
    const findContent = (packageName: string) => this.#mainContents.get(packageName)
    const locked = this.#lock.resolve(now, findContent)
    const content = locked ?? (this.#mainApp && findContent(this.#mainApp)) ?? newest(this.#mainContents)
    if (!content) return BLANK
    const rendering = content.render(now)
    return { ...rendering, until: Math.min(rendering.until, this.#lock.until(findContent)) }
  }

  #renderBootScreen(): Rendering | undefined {
    if (this.#bootScreens.size === 0) return undefined
    const starting = [...this.#bootScreens.values()]
    const text = starting.map(({ name }) => name).join('\n')
    return {
      packageName: this.#deps.systemPackage,
      layout: {
        layoutType: 'reference_card',
        title: starting.length > 1 ? 'Starting apps' : 'Starting app',
        text,
      },
      key: `boot:${text}`,
      until: Math.min(...starting.map(({ until }) => until)),
    }
  }

  #renderNotice(): Rendering | undefined {
    const notice = [...this.#notices.values()].at(-1)
    if (!notice) return undefined
    const { title, text, until } = notice
    const layout = { layoutType: 'reference_card', title, text } as const
    return { packageName: this.#deps.systemPackage, layout, key: notice, until }
  }

  #removeExpired(now: number): void {
    for (const contents of [this.#mainContents, this.#dashboardContents, this.#bootScreens, this.#notices]) {
      for (const [packageName, { until }] of contents) if (until <= now) contents.delete(packageName)
    }
  }
}

function newest(contents: LazyMap<string, DisplayContent>): DisplayContent | undefined {
  let last: DisplayContent | undefined
  for (const content of contents.values()) last = content
  return last
}
