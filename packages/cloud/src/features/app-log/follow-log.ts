import type { AppLogEntry } from '@glasses-cloud/contract'
import type { Clock } from '../../time/index.ts'
import { type AppLog, entryIdAt } from './app-log.ts'
import type { AppLogStore, StoredEntry } from './app-log-store.ts'

/** Interval between looking for entries that other nodes wrote. */
const POLL_INTERVAL_MS = 1_000

/** Interval of signs of life. */
const COMMENT_INTERVAL_MS = 3_500

/** Time by which nodes may write entries later than others with larger ids. */
const OVERLAP_MS = 3_000

/** Entries that are read at a time. */
const PAGE_SIZE = 200

/** What is followed, and for how long. */
export interface FollowOptions {
  readonly store: Pick<AppLogStore, 'listAfter'>
  readonly appLog: Pick<AppLog, 'onWritten'>
  readonly clock: Clock
  readonly appId: string
  /** Id of the last entry that the client received. */
  readonly after: string | undefined
  readonly signal: AbortSignal
}

/** Yields the entries of an app as server-sent events as they are written, by any node, each once. */
export async function* followLog(options: FollowOptions): AsyncGenerator<string> {
  const { store, appId, clock, signal } = options
  const changes = new Changes(options)
  // All entries up to the cursor were read; of later ones, those in `sent`.
  let cursor = options.after ?? entryIdAt(clock.now())
  const sent = new Set<string>()
  let commentedAt = clock.monotonicNow()
  yield ': connected\n\n'
  try {
    while (!signal.aborted) {
      let last = cursor
      for (;;) {
        if (clock.monotonicNow() - commentedAt >= COMMENT_INTERVAL_MS) {
          commentedAt = clock.monotonicNow()
          yield ': alive\n\n'
        }
        const entries = await store.listAfter(appId, last, PAGE_SIZE)
        for (const entry of entries) {
          // A client that reads slowly may have lost its access meanwhile.
          if (signal.aborted) return
          last = entry.id
          if (sent.has(entry.id)) continue
          sent.add(entry.id)
          yield toEvent(entry)
        }
        if (entries.length < PAGE_SIZE) break
      }
      const settled = entryIdAt(clock.now() - OVERLAP_MS)
      if (settled > cursor) cursor = settled
      for (const id of sent) if (id <= cursor) sent.delete(id)
      await changes.next()
    }
  } finally {
    changes.close()
  }
}

/** Waits for entries of this node, or for the time to look for those of others. */
class Changes {
  readonly #options: FollowOptions
  readonly #removeListener: () => void
  #hasChanged = false
  #wake = () => {}

  constructor(options: FollowOptions) {
    this.#options = options
    this.#removeListener = options.appLog.onWritten(() => this.#changed())
    options.signal.addEventListener('abort', () => this.#changed(), { once: true })
  }

  async next(): Promise<void> {
    if (!this.#hasChanged && !this.#options.signal.aborted) {
      const timer = this.#options.clock.after(POLL_INTERVAL_MS, () => this.#wake())
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      timer.cancel()
    }
    this.#hasChanged = false
  }

  close(): void {
    this.#removeListener()
  }

  #changed(): void {
    this.#hasChanged = true
    this.#wake()
  }
}

function toEvent(entry: StoredEntry): string {
  return `id: ${entry.id}\ndata: ${JSON.stringify(toEntryView(entry))}\n\n`
}

/** Returns an entry as developers see it. */
export function toEntryView({ id, at, fields }: StoredEntry): AppLogEntry {
  return { id, at: new Date(at).toISOString(), ...fields }
}
