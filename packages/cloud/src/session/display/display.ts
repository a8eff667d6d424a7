import { BLANK_LAYOUT, type Layout, type View } from '@glasses-cloud/contract'
import type { Clock, Timer } from '../clock.ts'
import type { SessionTiming } from '../timing.ts'
import { Content, type Picture } from './content.ts'
import { DisplayLock } from './display-lock.ts'

/** What a display is built from. */
export interface DisplayDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  /** The package in whose name the cloud itself draws. */
  readonly systemPackage: string
  /** Whether the lens may show something this display did not draw. */
  readonly unknown: boolean
  /** Whether a picture sent now would reach a lens. */
  ready(): boolean
  show(packageName: string, view: View, layout: Layout): void
}

const NOTHING: Picture = {
  packageName: '',
  layout: BLANK_LAYOUT,
  key: 'blank',
  until: Number.POSITIVE_INFINITY,
}

/**
 * Decides what the lens shows. It keeps what every app wants shown, derives from that and the time the one picture
 * that each view should hold, and sends it when it differs from the last one sent, at most one in 200 ms. A newer
 * picture so replaces one that waits, the last one is always delivered, and content without an end comes back by
 * itself when what covered it ends (decision L3; app socket protocol, 2.7).
 */
export class Display {
  readonly #deps: DisplayDeps
  readonly #main = new Map<string, Content>()
  readonly #dashboard = new Map<string, Content>()
  readonly #booting = new Map<string, { name: string; until: number }>()
  readonly #lock: DisplayLock
  /** What each view shows, as far as is known. */
  readonly #sent = new Map<View, unknown>([
    ['main', NOTHING.key],
    ['dashboard', NOTHING.key],
  ])
  /** The views that may not be as they were when the glasses were switched on. */
  readonly #touched = new Set<View>()
  /** Whose turn it is when both views changed: the one sent longest ago. */
  #turns: readonly View[] = ['main', 'dashboard']
  #mainApp: string | undefined
  #nextSend = 0
  #wake: Timer | undefined

  constructor(deps: DisplayDeps) {
    this.#deps = deps
    this.#lock = new DisplayLock(deps.timing)
    if (deps.unknown) this.#touched.add('main')
    this.#forgetSent()
  }

  /** Which app is the main one: the running standard app. */
  setMainApp(packageName: string | undefined): void {
    this.#mainApp = packageName
    if (packageName !== undefined) this.#lock.leave(packageName)
    this.#settle()
  }

  /** Shows that an app is starting; what apps want meanwhile waits, the latest of each. */
  boot(packageName: string, name: string): void {
    this.#booting.set(packageName, { name, until: this.#deps.clock.now() + this.#deps.timing.bootScreenMs })
    this.#settle()
  }

  /** An app wants a layout on a view. */
  request(packageName: string, view: View, layout: Layout, durationMs?: number | null): void {
    const now = this.#deps.clock.now()
    const contents = view === 'main' ? this.#main : this.#dashboard
    const content =
      layout.layoutType === 'clear_view' ? undefined : new Content(packageName, layout, durationMs)
    contents.delete(packageName) // so that the newest stands last
    if (content) contents.set(packageName, content)
    if (view === 'main' && packageName !== this.#mainApp) {
      if (content) this.#lock.ask(packageName, now)
      else this.#lock.leave(packageName)
    }
    this.#settle()
  }

  /** The app is gone, and what it wanted with it. */
  remove(packageName: string): void {
    this.#main.delete(packageName)
    this.#dashboard.delete(packageName)
    this.#booting.delete(packageName)
    this.#lock.leave(packageName)
    if (this.#mainApp === packageName) this.#mainApp = undefined
    this.#settle()
  }

  /** A lens is (back) there and may have missed something: draws again every view that was ever drawn on. */
  resync(): void {
    this.#forgetSent()
    this.#settle()
  }

  /** A view that shows nothing is drawn again too: what blanked it may have gone into a socket that was dead. */
  #forgetSent(): void {
    for (const view of this.#touched) this.#sent.delete(view)
  }

  #settle(): void {
    this.#wake?.cancel()
    this.#wake = undefined
    if (!this.#deps.ready()) return
    const now = this.#deps.clock.now()
    this.#forgetExpired(now)
    let wake = Number.POSITIVE_INFINITY
    for (const view of this.#turns) {
      const picture = this.#pictureOf(view, now)
      if (this.#sent.get(view) !== picture.key) {
        if (now < this.#nextSend) {
          wake = Math.min(wake, this.#nextSend)
          continue
        }
        this.#nextSend = now + this.#deps.timing.displayIntervalMs
        this.#sent.set(view, picture.key)
        this.#touched.add(view)
        this.#turns = [...this.#turns.filter((other) => other !== view), view]
        picture.sent?.(now)
        this.#deps.show(picture.packageName || this.#deps.systemPackage, view, picture.layout)
      }
      wake = Math.min(wake, this.#pictureOf(view, now).until)
    }
    if (wake !== Number.POSITIVE_INFINITY) {
      this.#wake = this.#deps.clock.after(Math.max(wake - now, 0), () => this.#settle())
    }
  }

  #pictureOf(view: View, now: number): Picture {
    return view === 'main' ? this.#mainPicture(now) : (last(this.#dashboard)?.picture(now) ?? NOTHING)
  }

  #mainPicture(now: number): Picture {
    const booting = this.#bootPicture()
    if (booting) return booting
    const live = (packageName: string) => this.#main.get(packageName)
    const locked = this.#lock.holder(now, live)
    const content = locked ?? (this.#mainApp && live(this.#mainApp)) ?? last(this.#main)
    if (!content) return NOTHING
    const picture = content.picture(now)
    return { ...picture, until: Math.min(picture.until, this.#lock.until(live)) }
  }

  #bootPicture(): Picture | undefined {
    if (this.#booting.size === 0) return undefined
    const starting = [...this.#booting.values()]
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

  #forgetExpired(now: number): void {
    for (const contents of [this.#main, this.#dashboard, this.#booting]) {
      for (const [packageName, { until }] of contents) if (until <= now) contents.delete(packageName)
    }
  }
}

function last(contents: ReadonlyMap<string, Content>): Content | undefined {
  let found: Content | undefined
  for (const content of contents.values()) found = content
  return found
}
