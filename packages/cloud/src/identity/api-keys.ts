import { matchesHash, parseKeyId } from './api-key-format.ts'

/** The app a key belongs to. */
export interface ApiKeyOwner {
  /** Id of the app's row. */
  readonly id: string
  readonly packageName: string
}

/** Where keys are looked up; `ApiKeyStore` of the catalogue is one. */
export interface ApiKeySource {
  findByKeyId(
    keyId: string,
  ): Promise<{ readonly hash: string; readonly appId: string; readonly packageName: string } | undefined>
}

/** Tells which app an API key belongs to (decision I5). */
export class ApiKeys {
  readonly #source: ApiKeySource

  constructor(source: ApiKeySource) {
    this.#source = source
  }

  /**
   * @param packageName the package the caller says it is; a key of another one is no key then
   * @returns the app of the key, nothing if the key is wrong
   */
  async verify(key: string, packageName?: string): Promise<ApiKeyOwner | undefined> {
    const keyId = parseKeyId(key)
    if (keyId === undefined) return undefined
    const stored = await this.#source.findByKeyId(keyId)
    if (stored === undefined || !matchesHash(key, stored.hash)) return undefined
    if (packageName !== undefined && packageName !== stored.packageName) return undefined
    return { id: stored.appId, packageName: stored.packageName }
  }
}
