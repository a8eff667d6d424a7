import { createHash, randomBytes, randomInt } from 'node:crypto'
import { fault } from '../../../http/fault.ts'
import { deriveSecret, isEqualSecret, secretId, type User } from '../../../identity/index.ts'
import type { SecondFactorStore } from './second-factor-store.ts'

const ISSUER = 'Glasses Cloud'
const BACKUP_CODES = 10
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** How many codes before and after the current one are accepted: a clock may differ by 30 s. */
const WINDOW = 1

export type CodeKind = 'totp' | 'backup'

export interface SecondFactorsDeps {
  readonly store: SecondFactorStore
  /** The accepted values of `AUTH_SECRET`, the current one first. */
  readonly secrets: readonly string[]
  readonly now: () => number
}

/** Codes of authenticator apps (TOTP, RFC 6238), and backup codes that replace them. */
export class SecondFactors {
  readonly #deps: SecondFactorsDeps
  /** Keys by the id of their secret; new texts are encrypted with the first. */
  readonly #keys: ReadonlyMap<number, Uint8Array>

  constructor(deps: SecondFactorsDeps) {
    this.#deps = deps
    this.#keys = new Map(
      deps.secrets.map((secret) => [
        Number.parseInt(secretId(secret, 'accounts').slice(0, 7), 16),
        createHash('sha256').update(deriveSecret(secret, 'accounts')).digest(),
      ]),
    )
  }

  /**
   * Prepares a factor, which is required once a code was verified.
   * @throws Fault `SECOND_FACTOR_EXISTS`
   */
  async prepare({ id, email }: User): Promise<{ totpURI: string; backupCodes: string[] }> {
    const secret = randomBytes(24).toString('base64url')
    const backupCodes = newBackupCodes()
    const sealed = [await this.#seal(secret), await this.#seal(JSON.stringify(backupCodes))] as const
    if (!(await this.#deps.store.prepare(id, ...sealed))) throw fault('SECOND_FACTOR_EXISTS')
    return { totpURI: (await this.#totp(secret, email)).toString(), backupCodes }
  }

  /** Replaces the backup codes of a user. @throws Fault `SECOND_FACTOR_MISSING` */
  async replaceBackupCodes({ id }: User): Promise<string[]> {
    const { store } = this.#deps
    const factor = await store.find(id)
    const backupCodes = newBackupCodes()
    const replacement = await this.#seal(JSON.stringify(backupCodes))
    if (!factor?.isActive || !(await store.replaceBackupCodes(factor, replacement)))
      throw fault('SECOND_FACTOR_MISSING')
    return backupCodes
  }

  /** Stops requiring a code. */
  async remove({ id }: User): Promise<void> {
    await this.#deps.store.remove(id, this.#deps.now())
  }

  /**
   * Verifies a code, and uses up a backup code.
   * @param options.activates whether a code of the app activates a factor that was prepared
   * @throws Fault `SECOND_FACTOR_REJECTED`
   */
  async verify(
    { id, email }: User,
    { code, kind }: { readonly code: string; readonly kind: CodeKind },
    { activates }: { readonly activates: boolean },
  ): Promise<void> {
    const { store, now } = this.#deps
    const factor = await store.find(id)
    if (factor === undefined || !(factor.isActive || (activates && kind === 'totp')))
      throw fault('SECOND_FACTOR_REJECTED')
    if (kind === 'totp') {
      const totp = await this.#totp(await this.#open(factor.secret), email)
      // The library throws an error for other characters.
      const isCode = /^[0-9]{6}$/.test(code)
      if (!isCode || totp.validate({ token: code, window: WINDOW, timestamp: now() }) === null)
        throw fault('SECOND_FACTOR_REJECTED')
      if (!factor.isActive && !(await store.activate(id, factor, now())))
        throw fault('SECOND_FACTOR_REJECTED')
      return
    }
    const codes: string[] = JSON.parse(await this.#open(factor.backupCodes))
    const left = codes.filter((candidate) => !isEqualSecret(candidate, code))
    if (left.length === codes.length) throw fault('SECOND_FACTOR_REJECTED')
    if (!(await store.replaceBackupCodes(factor, await this.#seal(JSON.stringify(left)))))
      throw fault('SECOND_FACTOR_REJECTED')
  }

  /** @param secret whose UTF-8 bytes are the key */
  async #totp(secret: string, email: string) {
    const { Secret, TOTP } = await import('otpauth')
    return new TOTP({ issuer: ISSUER, label: email, secret: Secret.fromUTF8(secret) })
  }

  /** Encrypts a text: `$ba$<id of the secret>$<hex of nonce and XChaCha20-Poly1305>`, as it always was stored (ADR 23). */
  async #seal(text: string): Promise<string> {
    const [[id, key] = []] = this.#keys
    if (key === undefined) throw new Error('No secret is configured')
    return `$ba$${id}$${Buffer.from((await cipher(key)).encrypt(Buffer.from(text))).toString('hex')}`
  }

  /** @throws Error if the secret is no longer accepted */
  async #open(sealed: string): Promise<string> {
    const [, , id, text = ''] = sealed.split('$')
    const key = this.#keys.get(Number(id))
    if (key === undefined)
      throw new Error('The second factor was encrypted with a secret that is not configured')
    return Buffer.from((await cipher(key)).decrypt(Buffer.from(text, 'hex'))).toString()
  }
}

async function cipher(key: Uint8Array) {
  const [{ xchacha20poly1305 }, { managedNonce }] = await Promise.all([
    import('@noble/ciphers/chacha.js'),
    import('@noble/ciphers/utils.js'),
  ])
  return managedNonce(xchacha20poly1305)(key)
}

function newBackupCodes(): string[] {
  return Array.from({ length: BACKUP_CODES }, () => {
    const letters = Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    return `${letters.slice(0, 5)}-${letters.slice(5)}`
  })
}
