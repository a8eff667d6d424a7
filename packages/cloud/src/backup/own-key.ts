import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { type Identity, type Recipient, Stanza } from 'age-encryption'

const STANZA = 'glasses-cloud'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * A key that the cloud derives from its `AUTH_SECRET`. With it the cloud reads the lists of files of its own backups,
 * to store no file twice and to remove old ones, even if it cannot read the backups.
 */
export class OwnKey implements Recipient, Identity {
  readonly #key: Buffer
  readonly #nameKey: Buffer

  constructor(authSecret: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', authSecret, '', purpose, 32))
    this.#key = derive('glasses-cloud backup: lists of files')
    this.#nameKey = derive('glasses-cloud backup: names of files')
  }

  /** Returns a name that says nothing about the content, and differs for other recipients. */
  nameOf(sha256: string, recipients: readonly string[]): string {
    return createHmac('sha256', this.#nameKey)
      .update(JSON.stringify([sha256, [...recipients].sort()]))
      .digest('hex')
  }

  wrapFileKey(fileKey: Uint8Array): Stanza[] {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    const body = Buffer.concat([nonce, cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
    return [new Stanza([STANZA], body)]
  }

  unwrapFileKey(stanzas: Stanza[]): Uint8Array | null {
    for (const { args, body } of stanzas) {
      if (args[0] !== STANZA || body.length <= NONCE_BYTES + TAG_BYTES) continue
      const decipher = createDecipheriv('aes-256-gcm', this.#key, body.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(body.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {}
    }
    return null
  }
}
