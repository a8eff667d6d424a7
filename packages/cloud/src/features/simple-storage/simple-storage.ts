import { SIMPLE_STORAGE_LIMITS } from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'
import { readEmailInUrl, type UserStore } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Catalogue, InstallStore } from '../catalogue/index.ts'
import { StorageFullError, type StorageStore, type StoredTexts } from './storage-store.ts'

export interface SimpleStorageDeps {
  readonly store: StorageStore
  readonly users: UserStore
  readonly installs: InstallStore
  readonly catalogue: Catalogue
  readonly sessions: SessionDirectory
  /** Epoch ms. */
  readonly now: () => number
}

/** The app that the API key identifies. */
export interface StoringApp {
  readonly id: string
  readonly packageName: string
}

/** The storage of one app for one user. */
export interface DocumentId {
  readonly userId: string
  readonly appId: string
}

/** Texts that apps store for their users. */
export class SimpleStorage {
  readonly #deps: SimpleStorageDeps

  constructor(deps: SimpleStorageDeps) {
    this.#deps = deps
  }

  /**
   * Returns the document of an app for the user of an e-mail address. An app has access while the user has it installed
   * or it runs, or while it has stored texts. The fault does not reveal whether the user exists.
   * @throws Fault `STORAGE_FORBIDDEN`
   */
  async authorize(app: StoringApp, email: string): Promise<DocumentId> {
    const address = readEmailInUrl(email)
    const user = address === undefined ? undefined : await this.#deps.users.findByEmail(address)
    if (user === undefined || !(await this.#mayStore(app, user.id))) throw fault('STORAGE_FORBIDDEN')
    return { userId: user.id, appId: app.id }
  }

  /** Returns all texts; empty if nothing is stored. */
  async all({ userId, appId }: DocumentId): Promise<StoredTexts> {
    return (await this.#deps.store.all(userId, appId)) ?? {}
  }

  /** @throws Fault `STORAGE_KEY_NOT_FOUND` */
  async get({ userId, appId }: DocumentId, key: string): Promise<string> {
    const value = await this.#deps.store.get(userId, appId, key)
    if (value === undefined) throw fault('STORAGE_KEY_NOT_FOUND')
    return value
  }

  /**
   * Merges texts into the document, all or none.
   * @throws Fault for an invalid key or value, or `STORAGE_FULL`
   */
  async merge({ userId, appId }: DocumentId, data: Readonly<Record<string, unknown>>): Promise<void> {
    const texts = validateTexts(data)
    try {
      await this.#deps.store.merge(userId, appId, texts, this.#deps.now())
    } catch (error) {
      throw error instanceof StorageFullError ? fault('STORAGE_FULL') : error
    }
  }

  /** @throws Fault `STORAGE_KEY_NOT_FOUND` */
  async remove({ userId, appId }: DocumentId, key: string): Promise<void> {
    if (!(await this.#deps.store.remove(userId, appId, key))) throw fault('STORAGE_KEY_NOT_FOUND')
  }

  /** @throws Fault `STORAGE_EMPTY` */
  async clear({ userId, appId }: DocumentId): Promise<void> {
    if (!(await this.#deps.store.clear(userId, appId))) throw fault('STORAGE_EMPTY')
  }

  async #mayStore({ id, packageName }: StoringApp, userId: string): Promise<boolean> {
    const { catalogue, installs, store, sessions } = this.#deps
    if (catalogue.isSystemApp(packageName)) return true
    if ((await installs.find(userId, id)) !== undefined) return true
    if (await (await sessions.find(userId))?.hasApp(packageName)) return true
    return (await store.isRunning(userId, id)) || (await store.has(userId, id))
  }
}

function validateTexts(data: Readonly<Record<string, unknown>>): StoredTexts {
  const { key: maxKey, value: maxValue } = SIMPLE_STORAGE_LIMITS
  const texts = Object.entries(data).map(([key, value]) => {
    if (key === '' || key.length > maxKey) throw badRequest(`A key must have 1 to ${maxKey} characters`)
    if (typeof value !== 'string') throw badRequest('Values must be strings')
    if (value.length > maxValue) throw badRequest(`A value must have at most ${maxValue} characters`)
    return [key, value] as const
  })
  return Object.fromEntries(texts)
}

const badRequest = (message: string) => fault('BAD_REQUEST', { message })
