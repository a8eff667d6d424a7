import { randomBytes } from 'node:crypto'
import { hashSecret, matchesHash } from './secrets.ts'

/** A new API key (decision I5). `key` is shown once; only `hash` is stored. */
interface GeneratedApiKey {
  readonly keyId: string
  readonly key: string
  readonly hash: string
}

const API_KEY_PATTERN = /^gck_([A-Za-z0-9]{16})_[A-Za-z0-9_-]{43}$/

/** Generates a key of the form `gck_<keyId>_<secret>`; the secret has 256 random bits. */
export function generateApiKey(): GeneratedApiKey {
  const keyId = randomBytes(8).toString('hex')
  const key = `gck_${keyId}_${randomBytes(32).toString('base64url')}`
  return { keyId, key, hash: hashSecret(key) }
}

/** Returns the id within a key, or undefined if the key is malformed. */
function parseKeyId(key: string): string | undefined {
  return API_KEY_PATTERN.exec(key)?.[1]
}

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
