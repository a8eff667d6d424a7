import type { ChangedKeys, ChangeFeed } from '../../db/index.ts'
import type { App } from './app.ts'
import type { AppStore } from './app-store.ts'
import { CatalogueEntry } from './catalogue-entry.ts'
import { toApprovedForm } from './reviewed-manifest.ts'

/** Apps read from the database at a time. */
const LOAD_PAGE_SIZE = 250

/** Entries examined without yielding to other requests. */
const SLICE_SIZE = 2_000

export interface CatalogueSnapshotDeps {
  readonly apps: AppStore
  readonly changes: ChangeFeed
  /** Whether an administrator approves apps (`APP_REVIEW`): entries then contain apps as approved. */
  readonly isReviewed: boolean
}

/** Which entries of the catalogue a list contains. */
export interface EntryQuery {
  /** Package name after which the list starts. */
  readonly after?: string | undefined
  readonly limit: number
  readonly matches: (entry: CatalogueEntry) => boolean
}

/**
 * Every app of the catalogue in memory, ordered by package name. Before each use, the rows that any process changed
 * since the last one are read again, so that a response is never older than the request.
 */
export class CatalogueSnapshot {
  readonly #deps: CatalogueSnapshotDeps
  readonly #byId = new Map<string, CatalogueEntry>()
  readonly #byPackage = new Map<string, CatalogueEntry>()
  /** All entries by package name; replaced, never modified, so that lists in progress stay consistent. */
  #ordered: readonly CatalogueEntry[] = []
  /** Whether everything must be read: at first, and when changes may have been missed. */
  #isOutdated = true
  readonly #changedApps = new Set<string>()
  readonly #changedHealth = new Set<string>()
  readonly #changedOrganizations = new Set<string>()
  readonly #changedUsers = new Set<string>()
  #refreshing: Promise<void> | undefined

  constructor(deps: CatalogueSnapshotDeps) {
    this.#deps = deps
    const { changes } = deps
    changes.on('apps', (keys) => this.#mark(this.#changedApps, keys))
    changes.on('app_health', (keys) => this.#mark(this.#changedHealth, keys))
    changes.on('organizations', (keys) => this.#mark(this.#changedOrganizations, keys))
    changes.on('users', (keys) => {
      // All users stand for a deleted one, whose apps have changed before, or for changes of every topic.
      if (keys !== 'all') this.#mark(this.#changedUsers, keys)
    })
  }

  /** Applies every change committed before the call. */
  async refresh(): Promise<void> {
    const pending = this.#deps.changes.catchUp()
    if (pending !== undefined) await pending
    while (this.#refreshing !== undefined || !this.#isCurrent()) {
      this.#refreshing ??= this.#reload().finally(() => {
        this.#refreshing = undefined
      })
      await this.#refreshing
    }
  }

  /** The app with this package name. Call `refresh` first. */
  find(packageName: string): CatalogueEntry | undefined {
    return this.#byPackage.get(packageName)
  }

  /** The number of apps. Call `refresh` first. */
  get size(): number {
    return this.#ordered.length
  }

  /** Changes whenever a list of entries may have changed, the health of servers excluded. Call `refresh` first. */
  get version(): object {
    return this.#ordered
  }

  /** Lists matching entries by package name, in slices between which other work runs. Call `refresh` first. */
  async list({ after, limit, matches }: EntryQuery): Promise<CatalogueEntry[]> {
    const ordered = this.#ordered
    const found: CatalogueEntry[] = []
    let index = after === undefined ? 0 : firstAfter(ordered, after)
    while (index < ordered.length && found.length < limit) {
      const end = Math.min(index + SLICE_SIZE, ordered.length)
      for (; index < end && found.length < limit; index += 1) {
        const entry = ordered[index]
        if (entry && matches(entry)) found.push(entry)
      }
      if (index < ordered.length && found.length < limit) await new Promise(setImmediate)
    }
    return found
  }

  #isCurrent(): boolean {
    const marked = [this.#changedApps, this.#changedHealth, this.#changedOrganizations, this.#changedUsers]
    return !this.#isOutdated && marked.every(({ size }) => size === 0)
  }

  #mark(changed: Set<string>, keys: ChangedKeys): void {
    if (keys === 'all') this.#isOutdated = true
    else for (const key of keys) changed.add(key)
  }

  /** Reads what is marked as changed. Marks made meanwhile stay for the next reload. */
  async #reload(): Promise<void> {
    if (this.#isOutdated) return this.#loadAll()
    const changed = new Set(this.#changedApps)
    if (this.#changedOrganizations.size > 0) {
      for (const [id, { app }] of this.#byId) {
        if (app.organization && this.#changedOrganizations.has(app.organization.id)) changed.add(id)
      }
    }
    const users = [...this.#changedUsers]
    const health = [...this.#changedHealth]
    this.#clearMarks()
    try {
      for (const id of await this.#deps.apps.idsDevelopedBy(users)) changed.add(id)
      await this.#reloadApps([...changed])
      await this.#reloadHealth(health.filter((id) => !changed.has(id)))
    } catch (error) {
      this.#isOutdated = true
      throw error
    }
  }

  async #loadAll(): Promise<void> {
    this.#clearMarks()
    this.#isOutdated = false
    try {
      const entries = await this.#readAll()
      this.#byId.clear()
      this.#byPackage.clear()
      for (const entry of entries) this.#add(entry)
      this.#ordered = entries
    } catch (error) {
      this.#isOutdated = true
      throw error
    }
  }

  async #readAll(): Promise<CatalogueEntry[]> {
    const entries: CatalogueEntry[] = []
    let after: string | undefined
    for (;;) {
      const apps = await this.#deps.apps.list({ after, limit: LOAD_PAGE_SIZE })
      for (const app of apps) entries.push(this.#entryOf(app))
      after = apps.at(-1)?.packageName
      if (apps.length < LOAD_PAGE_SIZE) return entries
    }
  }

  #clearMarks(): void {
    this.#changedApps.clear()
    this.#changedOrganizations.clear()
    this.#changedHealth.clear()
    this.#changedUsers.clear()
  }

  async #reloadApps(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += LOAD_PAGE_SIZE) {
      const part = ids.slice(start, start + LOAD_PAGE_SIZE)
      const apps = await this.#deps.apps.findByIds(part)
      for (const id of part) this.#remove(id)
      for (const app of apps) this.#add(this.#entryOf(app))
    }
    if (ids.length > 0) this.#ordered = [...this.#byPackage.values()].sort(byPackageName)
  }

  async #reloadHealth(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += LOAD_PAGE_SIZE) {
      const health = await this.#deps.apps.healthOf(ids.slice(start, start + LOAD_PAGE_SIZE))
      for (const { id, unreachableSince } of health) this.#byId.get(id)?.setUnreachableSince(unreachableSince)
    }
  }

  #entryOf(app: App): CatalogueEntry {
    const form = this.#deps.isReviewed ? toApprovedForm(app) : app
    return form === app ? new CatalogueEntry(app) : new CatalogueEntry(form, new CatalogueEntry(app))
  }

  #add(entry: CatalogueEntry): void {
    this.#byId.set(entry.app.id, entry)
    this.#byPackage.set(entry.packageName, entry)
  }

  #remove(id: string): void {
    const entry = this.#byId.get(id)
    if (entry === undefined) return
    this.#byId.delete(id)
    if (this.#byPackage.get(entry.packageName) === entry) this.#byPackage.delete(entry.packageName)
  }
}

/** By the bytes of the package name, as both databases order them. */
function byPackageName(a: CatalogueEntry, b: CatalogueEntry): number {
  return a.packageName < b.packageName ? -1 : a.packageName > b.packageName ? 1 : 0
}

/** Index of the first entry after a package name. */
function firstAfter(ordered: readonly CatalogueEntry[], packageName: string): number {
  let low = 0
  let high = ordered.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ordered[middle]?.packageName ?? '') <= packageName) low = middle + 1
    else high = middle
  }
  return low
}
