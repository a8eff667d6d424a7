import { parseKeyId } from './api-key-format.ts'
import { matchesHash } from './secret-hash.ts'

/** The app that an API key belongs to. */
export interface ApiKeyOwner {
  readonly id: string
  readonly packageName: string
  readonly keyId: string
}

/** Finds stored API keys; implemented by `ApiKeyStore`. */
export interface ApiKeySource {
  findByKeyId(
    keyId: string,
  ): Promise<{ readonly hash: string; readonly appId: string; readonly packageName: string } | undefined>
}

/** Verifies API keys (decision I5). */
export class ApiKeys {
  readonly #source: ApiKeySource

  constructor(source: ApiKeySource) {
    this.#source = source
  }

  /**
   * @param packageName if given, keys of other packages are rejected
   * @returns the app of the key, or undefined if the key is invalid
   */
  async verify(key: string, packageName?: string): Promise<ApiKeyOwner | undefined> {
    const keyId = parseKeyId(key)
    if (keyId === undefined) return undefined
    const stored = await this.#source.findByKeyId(keyId)
    if (stored === undefined || !matchesHash(key, stored.hash)) return undefined
    if (packageName !== undefined && packageName !== stored.packageName) return undefined
    return { id: stored.appId, packageName: stored.packageName, keyId }
  }

  /**
   * Finds the app of a key that was verified before.
   * @returns undefined if the key has been revoked, or belongs to another package
   */
  async findOwner(keyId: string, packageName: string): Promise<ApiKeyOwner | undefined> {
    const stored = await this.#source.findByKeyId(keyId)
    return stored?.packageName === packageName ? { id: stored.appId, packageName, keyId } : undefined
  }
}
