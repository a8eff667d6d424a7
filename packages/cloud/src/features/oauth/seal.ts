import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivLength = 12
const tagLength = 16

/**
 * Encrypts text so that only who has the secret reads it, and any change of it shows.
 * @param purpose what the text is for; another purpose has another key
 * @returns base64 of nonce, authentication tag and ciphertext
 */
export function seal(text: string, secret: string, purpose: string): string {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv(algorithm, derived(secret, purpose), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/**
 * Reads what {@link seal} wrote.
 * @throws Error when secret, purpose or text are not the ones it was sealed with
 */
export function unseal(sealed: string, secret: string, purpose: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv(algorithm, derived(secret, purpose), bytes.subarray(0, ivLength), {
    authTagLength: tagLength,
  })
  decipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
  return decipher.update(bytes.subarray(ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
}

/** A name for a secret that tells it from others and says nothing of it. */
export function secretId(secret: string, purpose: string): string {
  return derived(secret, `${purpose} id`).toString('hex')
}

function derived(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `glasses-cloud ${purpose}`, 32))
}
