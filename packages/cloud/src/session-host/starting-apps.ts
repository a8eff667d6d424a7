import type { AppDirectory, SessionApp } from './collaborators.ts'

interface Entry {
  readonly app: SessionApp
  readonly expiresAt: number
  /** Whether a start was requested with this app and has not used it yet. */
  requested: boolean
}

/**
 * Keeps the apps that one session is starting, so that every step of a start (webhook, admission, settings) uses the
 * row that was read first. An entry expires with the start's deadline; after that, apps are read from the directory.
 */
export class StartingApps {
  readonly #directory: AppDirectory
  readonly #monotonicNow: () => number
  readonly #expiresAfterMs: number
  readonly #entries = new Map<string, Entry>()

  constructor(directory: AppDirectory, monotonicNow: () => number, expiresAfterMs: number) {
    this.#directory = directory
    this.#monotonicNow = monotonicNow
    this.#expiresAfterMs = expiresAfterMs
  }

  /** Adds an app that has just been read. */
  add(app: SessionApp, requested = false): void {
    this.#removeExpired()
    this.#entries.set(app.packageName, {
      app,
      expiresAt: this.#monotonicNow() + this.#expiresAfterMs,
      requested,
    })
  }

  /** Replaces an app that changed while it is starting. */
  update(app: SessionApp): void {
    const entry = this.#get(app.packageName)
    if (entry) this.add(app, entry.requested)
  }

  /** Returns the app that a start was requested with, once; a later start reads the app again. */
  takeRequested(packageName: string): SessionApp | undefined {
    const entry = this.#get(packageName)
    if (!entry?.requested) return undefined
    entry.requested = false
    return entry.app
  }

  /** Returns the app as it was read for its start, or reads it. */
  async find(packageName: string): Promise<SessionApp | undefined> {
    return this.#get(packageName)?.app ?? this.#directory.findByPackage(packageName)
  }

  #get(packageName: string): Entry | undefined {
    this.#removeExpired()
    return this.#entries.get(packageName)
  }

  #removeExpired(): void {
    const now = this.#monotonicNow()
    for (const [packageName, { expiresAt }] of this.#entries) {
      if (expiresAt <= now) this.#entries.delete(packageName)
    }
  }
}
