import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../time/index.ts'
import type { AppChanges } from './app-changes.ts'
import type { LiveSessionDeps } from './deps.ts'
import { readLiveSession } from './read-live-session.ts'

/** Interval of signs of life, each of which also finds changes whose announcement was lost. */
const HEARTBEAT_MS = 10_000

/** Whose session is followed, and for how long. */
export interface FollowOptions extends Pick<LiveSessionDeps, 'sessions' | 'announcements'> {
  readonly appChanges: AppChanges
  readonly clock: Clock
  readonly userId: string
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
  /** Whether the client may still follow the session. */
  mayFollow(): Promise<boolean>
}

/** Yields the session of a user as server-sent events: at first, and after each change. */
export async function* followLiveSession(options: FollowOptions): AsyncGenerator<string> {
  const { sessions, announcements, appChanges, userId, signal, mayFollow, log } = options
  const changes = new Changes(options)
  const subscription = announcements.subscribe(userId, () => changes.add('session'))
  const stopListening = appChanges.on(userId, () => changes.add('apps'))
  try {
    await subscription.ready
    let sent = ''
    let kinds = new Set<Change>(['session'])
    yield ': connected\n\n'
    while (!signal.aborted) {
      if (kinds.has('apps')) yield toEvent('apps', '{}')
      const event = await readLiveSession(sessions, userId).then(
        (session) => toEvent('session', JSON.stringify(session)),
        (err: unknown) => {
          // Its node may have gone; the next sign of life finds the new one.
          log.warn({ err }, 'live-session: the session could not be read')
          return sent
        },
      )
      if (event !== sent) yield event
      sent = event
      kinds = await changes.next()
      if (signal.aborted || !(await mayFollow())) return
      if (kinds.has('heartbeat')) yield ': alive\n\n'
    }
  } finally {
    subscription.close()
    stopListening()
    changes.close()
  }
}

type Change = 'session' | 'apps' | 'heartbeat'

/** Collects changes until they are looked at, so that a slow client receives the last state only. */
class Changes {
  readonly #clock: Clock
  readonly #signal: AbortSignal
  #pending = new Set<Change>()
  #wake = () => {}
  readonly #aborted = () => this.#wake()

  constructor({ clock, signal }: FollowOptions) {
    this.#clock = clock
    this.#signal = signal
    signal.addEventListener('abort', this.#aborted, { once: true })
  }

  add(change: Change): void {
    this.#pending.add(change)
    this.#wake()
  }

  /** Resolves with what changed since the last call, at the latest with a heartbeat. */
  async next(): Promise<Set<Change>> {
    if (this.#pending.size === 0 && !this.#signal.aborted) {
      const timer = this.#clock.after(HEARTBEAT_MS, () => this.add('heartbeat'))
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      timer.cancel()
    }
    const changed = this.#pending
    this.#pending = new Set()
    return changed
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#aborted)
  }
}

const toEvent = (name: string, data: string) => `event: ${name}\ndata: ${data}\n\n`
