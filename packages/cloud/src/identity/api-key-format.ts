import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new API key (decision I5). The whole of it is shown once; `hash` is what is stored. */
export interface GeneratedApiKey {
  readonly keyId: string
  readonly key: string
  readonly hash: string
}

const API_KEY_PATTERN = /^gck_([A-Za-z0-9]{16})_[A-Za-z0-9_-]{43}$/

/** Makes a key of the form `gck_<keyId>_<secret>` with 256 random bits in its secret. */
export function generateApiKey(): GeneratedApiKey {
  const keyId = randomBytes(8).toString('hex')
  const key = `gck_${keyId}_${randomBytes(32).toString('base64url')}`
  return { keyId, key, hash: hashApiKey(key) }
}

/** The id within a key, by which its row is found; nothing if the text has not the form of a key. */
export function parseKeyId(key: string): string | undefined {
  return API_KEY_PATTERN.exec(key)?.[1]
}

/** What is stored of a key: the hex SHA-256 of all of it. */
function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Whether the key is the one whose hash is stored; takes the same time wherever they differ. */
export function matchesHash(key: string, storedHash: string): boolean {
  const given = Buffer.from(hashApiKey(key))
  const stored = Buffer.from(storedHash)
  return given.length === stored.length && timingSafeEqual(given, stored)
}
