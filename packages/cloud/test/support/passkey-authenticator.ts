import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest()
const base64url = (content: string | Buffer) => Buffer.from(content).toString('base64url')

/** How an answer differs from that of an honest browser and authenticator. */
export interface AnswerOptions {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly isUserVerified?: boolean
  readonly userHandle?: string
}

/** An authenticator with one passkey, and the browser that asks it. It signs with ES256. */
export class PasskeyAuthenticator {
  readonly id = randomBytes(32)
  /** Counts the uses; set it back to act as a copy. */
  counter = 0
  /** Authenticators that synchronize passkeys do not count. */
  isCounting = true
  readonly #origin: string
  readonly #keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
  #userHandle = ''

  constructor(origin: string) {
    this.#origin = origin
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  /** Creates the passkey. @returns the credential as the browser's `toJSON()` */
  create(
    { challenge, user }: { readonly challenge: string; readonly user: { readonly id: string } },
    options: AnswerOptions = {},
  ) {
    this.#userHandle = user.id
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const coseKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, coseKey])
    const data = Buffer.concat([this.#authenticatorData(options, HAS_CREDENTIAL), credential])
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      Buffer.from([data.length >> 8, data.length & 0xff]),
      data,
    ])
    const clientData = this.#clientData('webauthn.create', options.challenge ?? challenge, options)
    return this.#credential({
      clientDataJSON: base64url(clientData),
      attestationObject: base64url(attestation),
      transports: ['internal'],
    })
  }

  /** Signs a challenge. @returns the credential as the browser's `toJSON()` */
  get({ challenge }: { readonly challenge: string }, options: AnswerOptions = {}) {
    if (this.isCounting) this.counter += 1
    const data = this.#authenticatorData(options)
    const clientData = this.#clientData('webauthn.get', options.challenge ?? challenge, options)
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#keys.privateKey)
    return this.#credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(signature),
      userHandle: options.userHandle ?? this.#userHandle,
    })
  }

  #credential<Response>(response: Response) {
    const id = base64url(this.id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: AnswerOptions): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin: false })
  }

  #authenticatorData(
    { rpId = new URL(this.#origin).hostname, isUserVerified = true }: AnswerOptions,
    flags = 0,
  ): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const all = flags | USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([all]), counter])
  }
}
