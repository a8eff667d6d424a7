import { randomBytes } from 'node:crypto'
import type { ApiKey } from './api-key-store.ts'
import { hashSecret, matchesHash } from './secrets.ts'

/** A new API key (decision I5). `key` is shown once and not stored. */
interface GeneratedApiKey {
  readonly keyId: string
  readonly key: string
  /** Hex SHA-256 of the key, which signs what the app verifies with the key. */
  readonly signingKey: string
}

const API_KEY_PATTERN = /^gck_([A-Za-z0-9]{16})_[A-Za-z0-9_-]{43}$/

/** Generates a key of the form `gck_<keyId>_<secret>`; the secret has 256 random bits. */
export function generateApiKey(): GeneratedApiKey {
  const keyId = randomBytes(8).toString('hex')
  const key = `gck_${keyId}_${randomBytes(32).toString('base64url')}`
  return { keyId, key, signingKey: hashSecret(key) }
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
  ): Promise<Pick<ApiKey, 'hash' | 'isSigning' | 'appId' | 'packageName'> | undefined>
  reseal(keyId: string, signingKey: string): Promise<void>
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
    const signingKey = hashSecret(key)
    if (stored === undefined || !matchesHash(signingKey, stored.hash)) return undefined
    if (!stored.isSigning) await this.#source.reseal(keyId, signingKey)
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
