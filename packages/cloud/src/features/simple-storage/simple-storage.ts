import { SIMPLE_STORAGE_LIMITS } from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'
import { normalizeEmail, type UserStore } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Catalogue, InstallStore } from '../catalogue/index.ts'
import { StorageFull, type StorageStore, type StoredTexts } from './storage-store.ts'

/** What the storage of apps works with. */
export interface SimpleStorageParts {
  readonly store: StorageStore
  readonly users: UserStore
  readonly installs: InstallStore
  readonly catalogue: Catalogue
  readonly sessions: SessionDirectory
  /** Epoch ms. */
  readonly now: () => number
}

/** An app, as its key says. */
export interface StoringApp {
  readonly id: string
  readonly packageName: string
}

/** The storage of one app for one user. */
export interface StoragePlace {
  readonly userId: string
  readonly appId: string
}

/** What apps store for their users. */
export class SimpleStorage {
  readonly #parts: SimpleStorageParts

  constructor(parts: SimpleStorageParts) {
    this.#parts = parts
  }

  /**
   * The storage of an app for the user of an address. An app has it while the user has the app: installed, or
   * running, or stopping and about to save its last; and as long as something of it is there. Whether anybody has
   * the address at all, an app that none of this is true of does not learn.
   * @throws Fault otherwise
   */
  async open(app: StoringApp, email: string): Promise<StoragePlace> {
    const address = normalizeEmail(email)
    const user = address === undefined ? undefined : await this.#parts.users.findByEmail(address)
    if (user === undefined || !(await this.#mayStore(app, user.id))) throw fault('STORAGE_FORBIDDEN')
    return { userId: user.id, appId: app.id }
  }

  /** Everything stored; empty where nothing is. */
  async all({ userId, appId }: StoragePlace): Promise<StoredTexts> {
    return (await this.#parts.store.all(userId, appId)) ?? {}
  }

  /** @throws Fault if nothing is stored under the key */
  async get({ userId, appId }: StoragePlace, key: string): Promise<string> {
    const value = await this.#parts.store.get(userId, appId, key)
    if (value === undefined) throw fault('STORAGE_KEY_NOT_FOUND')
    return value
  }

  /**
   * Merges texts into what is stored, all or none.
   * @throws Fault with a sentence for what is no text, or too long, or too much; nothing is changed then
   */
  async merge({ userId, appId }: StoragePlace, data: Readonly<Record<string, unknown>>): Promise<void> {
    const texts = checkTexts(data)
    try {
      await this.#parts.store.merge(userId, appId, texts, this.#parts.now())
    } catch (error) {
      throw error instanceof StorageFull ? fault('STORAGE_FULL') : error
    }
  }

  /** @throws Fault if nothing is stored under the key */
  async remove({ userId, appId }: StoragePlace, key: string): Promise<void> {
    if (!(await this.#parts.store.remove(userId, appId, key))) throw fault('STORAGE_KEY_NOT_FOUND')
  }

  /** @throws Fault if nothing is stored */
  async clear({ userId, appId }: StoragePlace): Promise<void> {
    if (!(await this.#parts.store.clear(userId, appId))) throw fault('STORAGE_EMPTY')
  }

  async #mayStore({ id, packageName }: StoringApp, userId: string): Promise<boolean> {
    const { catalogue, installs, store, sessions } = this.#parts
    if (catalogue.isSystemApp(packageName)) return true
    if ((await installs.find(userId, id)) !== undefined) return true
    if (await (await sessions.find(userId))?.hasApp(packageName)) return true
    return (await store.isRunning(userId, id)) || (await store.has(userId, id))
  }
}

function checkTexts(data: Readonly<Record<string, unknown>>): StoredTexts {
  const { key: maxKey, value: maxValue } = SIMPLE_STORAGE_LIMITS
  const texts = Object.entries(data).map(([key, value]) => {
    if (key === '' || key.length > maxKey) throw badText(`A key must have 1 to ${maxKey} characters`)
    if (typeof value !== 'string') throw badText('Values must be strings')
    if (value.length > maxValue) throw badText(`A value must have at most ${maxValue} characters`)
    return [key, value] as const
  })
  return Object.fromEntries(texts)
}

const badText = (message: string) => fault('BAD_REQUEST', { message })
