import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Returns the hex SHA-256 of a secret with enough entropy that no slow hash is needed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Compares a secret with a stored hash in constant time. */
export function matchesHash(secret: string, storedHash: string): boolean {
  return isEqualSecret(hashSecret(secret), storedHash)
}

/** Compares two secrets in a time that depends on their length only. */
export function isEqualSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const algorithm = 'aes-256-gcm'
const ivLength = 12
const tagLength = 16

/**
 * Encrypts and authenticates text with AES-256-GCM.
 * @param purpose each purpose has its own key, derived from the secret
 * @returns base64 of nonce, authentication tag and ciphertext
 */
export function seal(text: string, secret: string, purpose: string): string {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv(algorithm, derived(secret, purpose), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/**
 * Decrypts the result of {@link seal}.
 * @param secrets the possible secrets
 * @throws Error if none of them was used, or the purpose or the text differ
 */
export function unseal(sealed: string, secrets: readonly string[], purpose: string): string {
  for (const secret of secrets.slice(0, -1)) {
    try {
      return unsealWith(sealed, secret, purpose)
    } catch {}
  }
  return unsealWith(sealed, secrets.at(-1) ?? '', purpose)
}

function unsealWith(sealed: string, secret: string, purpose: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv(algorithm, derived(secret, purpose), bytes.subarray(0, ivLength), {
    authTagLength: tagLength,
  })
  decipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
  return decipher.update(bytes.subarray(ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
}

/** Returns a secret for one purpose, as 64 hex digits, from which the others cannot be computed. */
export function deriveSecret(secret: string, purpose: string): string {
  return derived(secret, purpose).toString('hex')
}

/** Identifies a secret without revealing it. */
export function secretId(secret: string, purpose: string): string {
  return derived(secret, `${purpose} id`).toString('hex')
}

function derived(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `glasses-cloud ${purpose}`, 32))
}
