import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivLength = 12
const tagLength = 16

/**
 * Encrypts and authenticates a text with a key derived from the secret.
 * @param purpose the key is different for each purpose
 * @returns base64 of nonce, authentication tag and ciphertext
 */
export function seal(text: string, secret: string, purpose: string): string {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv(algorithm, derived(secret, purpose), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/**
 * Decrypts a text that {@link seal} returned.
 * @throws Error if the secret or the purpose differs, or the text was changed
 */
export function unseal(sealed: string, secret: string, purpose: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv(algorithm, derived(secret, purpose), bytes.subarray(0, ivLength), {
    authTagLength: tagLength,
  })
  decipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
  return decipher.update(bytes.subarray(ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
}

/** A non-reversible identifier of a secret. */
export function secretId(secret: string, purpose: string): string {
  return derived(secret, `${purpose} id`).toString('hex')
}

function derived(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `glasses-cloud ${purpose}`, 32))
}
