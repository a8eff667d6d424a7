import { randomBytes } from 'node:crypto'
import { hashSecret } from './secret-hash.ts'

/** A new API key (decision I5). `key` is shown once; only `hash` is stored. */
export interface GeneratedApiKey {
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
export function parseKeyId(key: string): string | undefined {
  return API_KEY_PATTERN.exec(key)?.[1]
}
