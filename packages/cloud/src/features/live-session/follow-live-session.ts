import type { LiveSession } from '@glasses-cloud/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { ChangedKeys, ChangeFeed } from '../../db/index.ts'
import type { AccessWatch } from '../../identity/index.ts'
import type { SessionAnnouncements, SessionDirectory } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'

export interface LiveSessionDeps {
  readonly clock: Clock
  readonly access: AccessWatch
  readonly sessions: SessionDirectory
  readonly announcements: SessionAnnouncements
  readonly changes: ChangeFeed
  /** Ends streams when the cloud shuts down. */
  readonly signal: AbortSignal
}

/**
 * What pages list of a user: the apps that the user sees, which change with an app, and with the installs and memberships
 * of the user; and the photos and recordings.
 */
const LISTS = ['apps', 'gallery'] as const

type List = (typeof LISTS)[number]

/** Notifies followers that a list of a user may have changed. */
export class ListChanges {
  readonly #listeners = new Map<string, Set<(list: List) => void>>()

  constructor(changes: ChangeFeed) {
    changes.on('apps', () => this.#notify('apps', 'all'))
    changes.on('user_apps', (userIds) => this.#notify('apps', userIds))
    changes.on('gallery', (userIds) => this.#notify('gallery', userIds))
  }

  /** @returns removes the listener */
  on(userId: string, listener: (list: List) => void): () => void {
    const listeners = this.#listeners.get(userId) ?? new Set()
    this.#listeners.set(userId, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(userId) === listeners) this.#listeners.delete(userId)
    }
  }

  #notify(list: List, userIds: ChangedKeys): void {
    for (const userId of userIds === 'all' ? this.#listeners.keys() : userIds)
      for (const listener of this.#listeners.get(userId) ?? []) listener(list)
  }
}

const NO_SESSION: LiveSession = {
  isPhoneConnected: false,
  phone: null,
  refusedPhone: null,
  glasses: null,
  runningApps: [],
  startingApps: [],
}

/** Reads the live session of a user, on whichever node it is. @throws BusError if that node cannot be reached */
export async function readLiveSession(sessions: SessionDirectory, userId: string): Promise<LiveSession> {
  const session = await sessions.find(userId)
  return session === undefined ? NO_SESSION : session.overview()
}

/** Interval of signs of life, each of which also finds changes whose announcement was lost. */
const HEARTBEAT_MS = 10_000

/** Whose session is followed, and for how long. */
export interface FollowOptions extends Pick<LiveSessionDeps, 'sessions' | 'announcements'> {
  readonly listChanges: ListChanges
  readonly clock: Clock
  readonly userId: string
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
}

/** Yields the session of a user as server-sent events: at first, and after each change. */
export async function* followLiveSession(options: FollowOptions): AsyncGenerator<string> {
  const { sessions, announcements, listChanges, userId, signal, log } = options
  const changes = new Changes(options)
  const subscription = announcements.subscribe(userId, () => changes.add('session'))
  const stopListening = listChanges.on(userId, (list) => changes.add(list))
  try {
    await subscription.ready
    let sent = ''
    let kinds = new Set<Change>(['session'])
    yield ': connected\n\n'
    while (!signal.aborted) {
      for (const list of LISTS) if (kinds.has(list)) yield toEvent(list, '{}')
      const event = await readLiveSession(sessions, userId).then(
        (session) => toEvent('session', JSON.stringify(session)),
        (err: unknown) => {
          // Its node may have gone; the next sign of life finds the new one.
          log.warn({ err }, 'live-session: the session could not be read')
          return sent
        },
      )
      if (signal.aborted) return
      if (event !== sent) yield event
      sent = event
      kinds = await changes.next()
      if (signal.aborted) return
      if (kinds.has('heartbeat')) yield ': alive\n\n'
    }
  } finally {
    subscription.close()
    stopListening()
    changes.close()
  }
}

type Change = 'session' | List | 'heartbeat'

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
