import type { AppLogEntry } from '@glasses-cloud/contract'

/** A moment of a start. */
export interface StartMoment {
  /** Epoch ms. */
  readonly at: number
  readonly kind:
    | 'requested'
    | 'starting'
    | 'webhook'
    | 'socket'
    | 'running'
    | 'display'
    | 'answered'
    | 'failed'
  /** Attempt and status of a webhook, or why the start failed. */
  readonly detail?: string
  /** Of a webhook, if it is known. */
  readonly durationMs?: number
}

/** A start of an app with its moments in the order of time. */
export interface AppStart {
  readonly packageName: string
  readonly moments: readonly StartMoment[]
}

/** What the glasses and the page notice of starts. */
interface Noticed extends StartMoment {
  readonly packageName: string
}

/** Moments of starts that are kept. */
const MAX_NOTICED = 300

/** A moment that is this much earlier belongs to an earlier start, in ms; a start takes half a minute at most. */
const LONGEST_START_MS = 40_000

/** Collects the moments of app starts from the frames that glasses receive and the requests of the page. */
export class StartTimeline {
  #noticed: readonly Noticed[] = []
  /** Apps that are starting, and apps that are running and have shown nothing since. */
  readonly #starting = new Set<string>()
  readonly #blank = new Set<string>()

  get moments(): readonly Noticed[] {
    return this.#noticed
  }

  /** Takes note of a message from the cloud. Returns whether it belongs to a start. */
  addMessage(message: Readonly<Record<string, unknown>>, at: number): boolean {
    const packageName = String(message.packageName)
    switch (message.type) {
      case 'app_state_change':
        return this.#addState(message.apps, at)
      case 'app_started':
        this.#starting.delete(packageName)
        this.#blank.add(packageName)
        return this.#add({ packageName, at, kind: 'running' })
      case 'display_event':
        // An app may draw before it is reported as running.
        if (!this.#blank.delete(packageName) && !this.#starting.has(packageName)) return false
        return this.#add({ packageName, at, kind: 'display' })
      default:
        return false
    }
  }

  /** Takes note of a request of the page to start an app, once it was answered. */
  addRequest(packageName: string, requestedAt: number, answeredAt: number, status: number): void {
    this.#add({ packageName, at: requestedAt, kind: 'requested' })
    if (status >= 400) this.#add({ packageName, at: answeredAt, kind: 'failed', detail: `HTTP ${status}` })
    else this.#add({ packageName, at: answeredAt, kind: 'answered' })
  }

  #addState(apps: unknown, at: number): boolean {
    let changed = false
    for (const app of Array.isArray(apps) ? apps : []) {
      const packageName = String(app.packageName)
      if (app.state !== 'starting' || this.#starting.has(packageName)) continue
      this.#starting.add(packageName)
      changed = this.#add({ packageName, at, kind: 'starting' })
    }
    return changed
  }

  #add(moment: Noticed): true {
    this.#noticed = [...this.#noticed.slice(1 - MAX_NOTICED), moment]
    return true
  }
}

/**
 * Groups moments into starts, the latest first.
 * @param log the entries of the app log, by package name, of the apps whose log the user may read
 */
export function findStarts(
  noticed: readonly Noticed[],
  log: ReadonlyMap<string, readonly AppLogEntry[]> = new Map(),
): AppStart[] {
  const starts: AppStart[] = []
  for (const packageName of new Set(noticed.map((moment) => moment.packageName))) {
    const own = noticed.filter((moment) => moment.packageName === packageName)
    const first = Math.min(...own.map(({ at }) => at))
    const logged = (log.get(packageName) ?? [])
      .flatMap(toMoment)
      .filter(({ at }) => at > first - LONGEST_START_MS)
    let moments: StartMoment[] = []
    for (const moment of [...own, ...logged].sort((a, b) => a.at - b.at)) {
      const last = moments.at(-1)
      const isRepeated = moments.some(({ kind }) => kind === moment.kind) && moment.kind !== 'webhook'
      // The log may have moments of an earlier start that these glasses did not see.
      const isOver = isRepeated || moment.kind === 'requested'
      if (last !== undefined && (isOver || moment.at - last.at > LONGEST_START_MS)) {
        starts.push({ packageName, moments })
        moments = []
      }
      moments.push(moment)
    }
    if (moments.length > 0) starts.push({ packageName, moments })
  }
  return starts.sort((a, b) => (b.moments[0]?.at ?? 0) - (a.moments[0]?.at ?? 0))
}

/** The moments of a start in the log of an app; what the glasses notice themselves is left out. */
function toMoment({ at, kind, event, attempt, status, durationMs, message }: AppLogEntry): StartMoment[] {
  const time = Date.parse(at)
  if (kind === 'webhook' && event === 'session_request') {
    const words = [
      `attempt ${attempt ?? 1}`,
      status && `HTTP ${status}`,
      durationMs !== undefined && `${durationMs} ms`,
    ]
    // Logged when the response has arrived.
    const detail = words.filter(Boolean).join(', ')
    const duration = durationMs === undefined ? {} : { durationMs }
    return [{ at: time - (durationMs ?? 0), kind: 'webhook', detail, ...duration }]
  }
  if (kind === 'socket' && event === 'opened') return [{ at: time, kind: 'socket' }]
  if (kind === 'start' && event === 'failed')
    return [{ at: time, kind: 'failed', ...(message !== undefined && { detail: message }) }]
  return []
}
