import { createHmac, randomBytes } from 'node:crypto'
import { cutText } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import type { AppLogFields, AppRecorder } from '../../session-host/index.ts'
import type { Clock, Timer } from '../../time/index.ts'
import { type AppLogStore, DAY_MS, dayOf, type StoredEntry, type UsageChange } from './app-log-store.ts'

/** How long entries are collected before they are written together. */
const FLUSH_INTERVAL_MS = 500

/** Entries of one app that are kept of each flush interval; further ones are counted. */
const MAX_ENTRIES_PER_FLUSH = 20

/** Entries of all apps that may be waiting to be stored; further ones are lost, with a line in the log of the cloud. */
const MAX_PENDING = 5_000

/** Characters of a message in an entry. */
const MAX_MESSAGE_LENGTH = 500

/** Entries that an app keeps. */
const MAX_ENTRIES_PER_APP = 5_000

/** Days for which the use of an app is kept. */
export const USAGE_DAYS = 90

interface Pending {
  readonly packageName: string
  readonly at: number
  readonly id: string
  readonly fields: AppLogFields
  /** The user for whom the app started. */
  readonly userId?: string
}

export interface AppLogDeps {
  readonly store: AppLogStore
  /** Key of the hashes of users. */
  readonly secret: string
  readonly clock: Clock
  readonly log: Logger
}

/**
 * The log of each app for its developers, and its use a day. Entries are written in batches, so that a busy app costs
 * few writes; entries of the last half second are lost with a killed process.
 */
export class AppLog implements AppRecorder {
  readonly #deps: AppLogDeps
  readonly #listeners = new Set<() => void>()
  readonly #nodeId = randomBytes(4).toString('hex')
  #pending: Pending[] = []
  /** Number of entries that are being written, or wait until earlier ones are. */
  #unwritten = 0
  #counts = new Map<string, number>()
  #lost = 0
  #sequence = 0
  #timer: Timer | undefined
  #writing: Promise<void> = Promise.resolve()
  readonly #untrimmed = new Set<string>()

  constructor(deps: AppLogDeps) {
    this.#deps = deps
  }

  record(packageName: string, fields: AppLogFields): void {
    this.#add(packageName, fields)
  }

  started(packageName: string, userId: string, fields: AppLogFields): void {
    this.#add(packageName, fields, userId)
  }

  /** Calls a function after entries were written by this node. @returns a function that removes it */
  onWritten(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Writes the pending entries. Resolves once they are stored, or could not be. */
  async flush(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    const [pending, counts, lost] = [this.#pending, this.#counts, this.#lost]
    this.#pending = []
    this.#counts = new Map()
    this.#lost = 0
    if (lost > 0) this.#deps.log.warn({ lost }, 'app-log: entries were lost, too many were waiting')
    const dropped = [...counts].flatMap(([packageName, count]) => {
      const excess = count - MAX_ENTRIES_PER_FLUSH
      if (excess <= 0) return []
      return [this.#entry(packageName, { level: 'error', kind: 'dropped', event: 'dropped', count: excess })]
    })
    const entries = [...pending, ...dropped].slice(0, MAX_PENDING - this.#unwritten)
    this.#unwritten += entries.length
    // In sequence, so that readers find entries in the order of their ids.
    this.#writing = this.#writing
      .then(() => this.#write(entries))
      .then(() => {
        this.#unwritten -= entries.length
      })
    await this.#writing
  }

  /** Deletes old entries and those beyond the maximum of each app. */
  async sweep(): Promise<void> {
    const { store, clock } = this.#deps
    const now = clock.now()
    await store.removeBefore(now - DAY_MS, dayOf(now) - USAGE_DAYS)
    const untrimmed = [...this.#untrimmed]
    this.#untrimmed.clear()
    for (const appId of untrimmed) await store.trim(appId, MAX_ENTRIES_PER_APP)
  }

  #add(packageName: string, fields: AppLogFields, userId?: string): void {
    const count = (this.#counts.get(packageName) ?? 0) + 1
    this.#counts.set(packageName, count)
    this.#timer ??= this.#deps.clock.after(FLUSH_INTERVAL_MS, () => void this.flush())
    // A start is kept in any case, because it is counted as use.
    if (count > MAX_ENTRIES_PER_FLUSH && userId === undefined) return
    if (this.#unwritten + this.#pending.length >= MAX_PENDING) this.#lost += 1
    else this.#pending.push(this.#entry(packageName, fields, userId))
  }

  #entry(packageName: string, fields: AppLogFields, userId?: string): Pending {
    const at = this.#deps.clock.now()
    this.#sequence = (this.#sequence + 1) % 1_000_000
    const id = `${entryIdAt(at)}-${String(this.#sequence).padStart(6, '0')}-${this.#nodeId}`
    const message = fields.message && cutText(fields.message, MAX_MESSAGE_LENGTH)
    return {
      packageName,
      at,
      id,
      fields: message === undefined ? fields : { ...fields, message },
      ...(userId !== undefined && { userId }),
    }
  }

  async #write(pending: readonly Pending[]): Promise<void> {
    if (pending.length === 0) return
    try {
      const ids = await this.#deps.store.idsOf([...new Set(pending.map(({ packageName }) => packageName))])
      const entries: StoredEntry[] = []
      const usage = new Map<
        string,
        UsageChange & { sessions: number; errors: number; userHashes: Set<string> }
      >()
      for (const { packageName, id, at, fields, userId } of pending) {
        const appId = ids.get(packageName)
        if (appId === undefined) continue
        entries.push({ id, appId, at, fields })
        const day = dayOf(at)
        const key = `${appId} ${day}`
        const change = usage.get(key) ?? { appId, day, sessions: 0, errors: 0, userHashes: new Set<string>() }
        usage.set(key, change)
        if (fields.level === 'error') change.errors += 1
        if (userId === undefined) continue
        change.sessions += 1
        change.userHashes.add(this.#hashUser(appId, day, userId))
      }
      await this.#deps.store.add(
        entries,
        [...usage.values()].filter(({ sessions, errors }) => sessions > 0 || errors > 0),
      )
      for (const { appId } of entries) this.#untrimmed.add(appId)
      for (const listener of this.#listeners) listener()
    } catch (err) {
      this.#deps.log.error({ err }, 'app-log: entries could not be stored')
    }
  }

  /** The hash differs between apps and days, so that users cannot be followed. */
  #hashUser(appId: string, day: number, userId: string): string {
    return createHmac('sha256', this.#deps.secret)
      .update(`app-user:${appId}:${day}:${userId}`)
      .digest('base64url')
  }
}

/** Returns what ids of entries of a time (epoch ms) start with. */
export function entryIdAt(at: number): string {
  return String(at).padStart(15, '0')
}
