import { createHash, randomBytes, randomInt } from 'node:crypto'
import { fault } from '../../../http/fault.ts'
import { deriveSecret, isEqualSecret, secretId, type User } from '../../../identity/index.ts'
import type { PasswordProof, SecondFactor, SecondFactorStore } from './second-factor-store.ts'

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
   * @param passwordHash hash of the password that was verified
   * @throws Fault `SECOND_FACTOR_EXISTS`, or `INVALID_PASSWORD` if the password was changed meanwhile
   */
  async prepare(
    { id, email }: User,
    passwordHash: string,
  ): Promise<{ totpURI: string; backupCodes: string[] }> {
    const secret = randomBytes(24).toString('base64url')
    const backupCodes = newBackupCodes()
    const sealed = [await this.#seal(secret), await this.#seal(JSON.stringify(backupCodes))] as const
    const outcome = await this.#deps.store.prepare({ userId: id, passwordHash }, ...sealed)
    if (outcome === 'stale_password') throw fault('INVALID_PASSWORD')
    if (outcome === 'exists') throw fault('SECOND_FACTOR_EXISTS')
    return { totpURI: (await this.#totp(secret, email)).toString(), backupCodes }
  }

  /**
   * Replaces the backup codes of a user.
   * @throws Fault `SECOND_FACTOR_MISSING`, or `INVALID_PASSWORD` if the password was changed meanwhile
   */
  async replaceBackupCodes(proof: PasswordProof): Promise<string[]> {
    const { store } = this.#deps
    const factor = await store.find(proof.userId)
    const backupCodes = newBackupCodes()
    const replacement = await this.#seal(JSON.stringify(backupCodes))
    if (!factor?.isActive) throw fault('SECOND_FACTOR_MISSING')
    const outcome = await store.replaceBackupCodes(proof, factor, replacement)
    if (outcome === 'stale_password') throw fault('INVALID_PASSWORD')
    if (outcome === 'changed') throw fault('SECOND_FACTOR_MISSING')
    return backupCodes
  }

  /** Stops requiring a code. @throws Fault `INVALID_PASSWORD` if the password was changed meanwhile */
  async remove(proof: PasswordProof): Promise<void> {
    if (!(await this.#deps.store.remove(proof, this.#deps.now()))) throw fault('INVALID_PASSWORD')
  }

  /**
   * Verifies a code and uses it up.
   * @param activatingLoginId the login in which a code of the app activates a factor that was prepared
   * @throws Fault `SECOND_FACTOR_REJECTED`
   */
  async verify(
    { id, email }: User,
    { code, kind }: { readonly code: string; readonly kind: CodeKind },
    activatingLoginId?: string,
  ): Promise<void> {
    const { store, now } = this.#deps
    const factor = await store.find(id)
    if (factor === undefined) throw fault('SECOND_FACTOR_REJECTED')
    if (kind === 'totp') {
      const step = await this.#stepOf(code, factor, email)
      const isUsed =
        step !== undefined &&
        (factor.isActive
          ? await store.useStep(factor, step)
          : activatingLoginId !== undefined &&
            (await store.activate(id, factor, { step, loginId: activatingLoginId }, now())))
      if (!isUsed) throw fault('SECOND_FACTOR_REJECTED')
      return
    }
    if (!factor.isActive) throw fault('SECOND_FACTOR_REJECTED')
    const codes: string[] = JSON.parse(await this.#open(factor.backupCodes))
    const left = codes.filter((candidate) => !isEqualSecret(candidate, code))
    if (left.length === codes.length) throw fault('SECOND_FACTOR_REJECTED')
    if (!(await store.useBackupCode(factor, await this.#seal(JSON.stringify(left)))))
      throw fault('SECOND_FACTOR_REJECTED')
  }

  /** Returns the time step, of 30 s, of a code of the app; undefined if it is not valid now. */
  async #stepOf(code: string, factor: SecondFactor, email: string): Promise<number | undefined> {
    // The library throws an error for other characters.
    if (!/^[0-9]{6}$/.test(code)) return undefined
    const totp = await this.#totp(await this.#open(factor.secret), email)
    const timestamp = this.#deps.now()
    const delta = totp.validate({ token: code, window: WINDOW, timestamp })
    return delta === null ? undefined : totp.counter({ timestamp }) + delta
  }

  /** @param secret whose UTF-8 bytes are the key */
  async #totp(secret: string, email: string) {
    const { Secret, TOTP } = await import('otpauth')
    return new TOTP({ issuer: ISSUER, label: email, secret: Secret.fromUTF8(secret) })
  }

  /** Encrypts a text: `$ba$<id of the secret>$<hex of nonce and XChaCha20-Poly1305>`. */
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
