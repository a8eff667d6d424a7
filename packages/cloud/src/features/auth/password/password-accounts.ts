import { randomBytes } from 'node:crypto'
import { fault } from '../../../http/fault.ts'
import {
  type AccountClaims,
  type GuessLimiter,
  type LogOutDeps,
  logOutEverywhere,
  type User,
} from '../../../identity/index.ts'
import type { Mailer } from '../../../mail/index.ts'
import { mayConfirm } from '../guess-limits.ts'
import type { KnownBrowserStore } from '../known-browser-store.ts'
import { pageLink, uniformTime } from '../links.ts'
import type { SecurityNotices } from '../security-notices.ts'
import type { SignInMethodStore } from '../sign-in-method-store.ts'
import type { VerificationPurpose, VerificationStore } from '../verification-store.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { PasswordPolicy } from './password-policy.ts'

const RESET_LIFETIME_MS = 60 * 60_000
const CONFIRMATION_LIFETIME_MS = 24 * 60 * 60_000

/** What somebody should know before they reset the password of an account that may be that of somebody else. */
const UNCONFIRMED_RESET =
  ' The address was never confirmed, so somebody else may have used the account: unless you open the link in a browser that is signed in, everything in the account is deleted, and you start with a new one.'

/** Returns whether a request comes from the browser of the person who holds an account (`AccountHolders`). */
export type HolderCheck = (userId: string) => Promise<boolean>

export interface AccountsDeps extends LogOutDeps {
  readonly claims: AccountClaims
  readonly methods: SignInMethodStore
  readonly passwords: PasswordHasher
  readonly policy: Pick<PasswordPolicy, 'require'>
  readonly verifications: VerificationStore
  readonly knownBrowsers: KnownBrowserStore
  readonly guesses: GuessLimiter
  readonly mailer: Mailer
  readonly notices: SecurityNotices
  /** Whether addresses must be confirmed before the first sign-in. */
  readonly verifyEmail: boolean
  readonly publicUrl: () => URL
}

/** The passwords of users, and the links that reset them and confirm addresses. E-mail addresses are normalized. */
export class PasswordAccounts {
  readonly #deps: AccountsDeps

  constructor(deps: AccountsDeps) {
    this.#deps = deps
  }

  /**
   * Authenticates a user by password. An unknown address takes as long as a wrong password.
   * @param onUnconfirmed called if the password is right but the address must be confirmed first
   * @returns the user and the hash of the password, for {@link isCurrent}
   * @throws Fault `SIGN_IN_REJECTED`, `EMAIL_NOT_VERIFIED` (and sends a link) or `ACCOUNT_SUSPENDED`
   */
  async authenticate(
    email: string,
    password: string,
    onUnconfirmed: (userId: string) => void,
  ): Promise<{ user: User; hash: string }> {
    const { users, methods, passwords, verifyEmail } = this.#deps
    const user = await users.findByEmail(email)
    const hash = user && (await methods.findPassword(user.id))
    const uniform = uniformTime()
    const matches = await passwords.verify(password, hash)
    if (user === undefined || hash === undefined || !matches) {
      await uniform
      throw fault('SIGN_IN_REJECTED')
    }
    if (verifyEmail && !user.isEmailVerified) {
      await this.sendConfirmation(user)
      onUnconfirmed(user.id)
      throw fault('EMAIL_NOT_VERIFIED')
    }
    if (user.suspendedAt !== undefined) throw fault('ACCOUNT_SUSPENDED')
    return { user, hash }
  }

  /**
   * Returns whether a hash is still that of the user's password. Whoever adds a login or the like after verifying a
   * password asks afterwards: a change sets the password first and then removes what was added with the earlier one.
   */
  async isCurrent({ id }: User, hash: string): Promise<boolean> {
    return (await this.#deps.methods.findPassword(id)) === hash
  }

  /** @returns the hash of the password @throws Fault `INVALID_PASSWORD` unless it is the password of the user */
  async requirePassword({ id }: User, password: string): Promise<string> {
    const { methods, passwords } = this.#deps
    const hash = await methods.findPassword(id)
    if (!(await passwords.verify(password, hash)) || hash === undefined) throw fault('INVALID_PASSWORD')
    return hash
  }

  /**
   * Changes the password, and ends all logins and whatever could still be completed.
   * @param options.revokeTokens whether the personal access tokens of the user are revoked as well
   * @returns the hash of the new password
   * @throws Fault `INVALID_PASSWORD` unless the present password is right, also if another change came first
   */
  async changePassword(
    user: User,
    currentPassword: string,
    newPassword: string,
    { revokeTokens }: { readonly revokeTokens: boolean },
  ): Promise<string> {
    const { methods, passwords, verifications, knownBrowsers, logins, notices, now } = this.#deps
    const { id, email } = user
    const hash = await this.requirePassword(user, currentPassword)
    await this.#deps.policy.require(newPassword, user)
    const newHash = await passwords.hash(newPassword)
    if (!(await methods.replacePassword(id, hash, newHash, now()))) throw fault('INVALID_PASSWORD')
    await verifications.removeFor(id)
    await knownBrowsers.removeFor(id)
    await logins.removeAll(id)
    if (revokeTokens) await this.#deps.personalTokenStore.removeAll(id)
    notices.passwordChanged(email)
    return newHash
  }

  /** Sends a link to set a new password, if the address has an account. */
  async requestReset(email: string): Promise<void> {
    const { users, mailer, publicUrl } = this.#deps
    const user = await users.findByEmail(email)
    if (user === undefined) return
    const token = await this.#addToken('reset-password', user, RESET_LIFETIME_MS)
    mailer.send({
      to: user.email,
      subject: 'Reset your password',
      text: `A new password was requested for your account at ${publicUrl().host}. The link is valid for an hour; ignore this message if you did not ask for it.${user.isEmailVerified ? '' : UNCONFIRMED_RESET}`,
      link: pageLink(publicUrl(), '/reset-password', { token }),
    })
  }

  /**
   * Sets a password with the token of such a link. If the address is not confirmed, whoever opens the link outside the
   * browser of the account's holder claims the account.
   * @returns the user
   * @throws Fault `VERIFICATION_REJECTED`
   */
  async resetPassword(token: string, newPassword: string, isHolder: HolderCheck): Promise<User> {
    const { users, methods, passwords, policy, verifications, knownBrowsers, notices, now } = this.#deps
    const foundId = await verifications.find('reset-password', token, now())
    const found = foundId === undefined ? undefined : await users.findById(foundId)
    if (found === undefined) throw fault('VERIFICATION_REJECTED')
    await policy.require(newPassword, found)
    const hash = await passwords.hash(newPassword)
    const userId = await verifications.use('reset-password', token, now())
    const user = userId === undefined ? undefined : await users.findById(userId)
    if (user === undefined) throw fault('VERIFICATION_REJECTED')
    const claimed = await this.#claim(user, hash, isHolder)
    if (claimed === undefined) {
      await methods.setPassword(user.id, hash, now())
      await users.setEmailVerified(user.id, now())
      await verifications.removeFor(user.id)
      await knownBrowsers.removeFor(user.id)
      await logOutEverywhere(this.#deps, user)
    }
    notices.passwordChanged(user.email)
    return claimed ?? user
  }

  /** @returns the new account; undefined if the address is confirmed, or its holder opened the link */
  async #claim(user: User, passwordHash: string, isHolder: HolderCheck): Promise<User | undefined> {
    if (user.isEmailVerified || (await isHolder(user.id))) return undefined
    return this.#deps.claims.claim(user.id, { passwordHash })
  }

  /** Sends a link that confirms the address, if it has an account and is not confirmed. */
  async requestConfirmation(email: string): Promise<void> {
    const user = await this.#deps.users.findByEmail(email)
    if (user !== undefined && !user.isEmailVerified) await this.sendConfirmation(user)
  }

  /** Sends a link that confirms the address of a user, unless it received many. */
  async sendConfirmation(user: User): Promise<void> {
    const { guesses, mailer, publicUrl } = this.#deps
    if (!(await mayConfirm(guesses, user.email))) return
    const token = await this.#addToken('verify-email', user, CONFIRMATION_LIFETIME_MS)
    mailer.send({
      to: user.email,
      subject: 'Confirm your e-mail address',
      text: `An account was created with this address at ${publicUrl().host}. If it was you, open the link in the browser where you created the account; it is valid for a day. If it was not you, ignore this message, and the account stays unconfirmed; or open the link and set a password of your own, which deletes everything that was made with the account.`,
      link: pageLink(publicUrl(), '/verify-email', { token }),
    })
  }

  /**
   * Confirms an address with the token of such a link. Outside the browser of the account's holder, the link requires a
   * new password, and claims the account, once. The link of a confirmed address has no effect, so it may be used again.
   * @returns the user; undefined if the address was confirmed before
   * @throws Fault `VERIFICATION_REJECTED` or `NEW_PASSWORD_REQUIRED`, after which the link is still valid
   */
  async confirmEmail(
    token: string,
    newPassword: string | undefined,
    isHolder: HolderCheck,
  ): Promise<User | undefined> {
    const { users, passwords, verifications, notices, now } = this.#deps
    const foundId = await verifications.find('verify-email', token, now())
    const found = foundId === undefined ? undefined : await users.findById(foundId)
    if (found === undefined) throw fault('VERIFICATION_REJECTED')
    if (found.isEmailVerified) return undefined
    if (await isHolder(found.id)) {
      await users.setEmailVerified(found.id, now())
      return found
    }
    if (newPassword === undefined) throw fault('NEW_PASSWORD_REQUIRED')
    // The name is that of somebody else.
    await this.#deps.policy.require(newPassword, { email: found.email })
    const passwordHash = await passwords.hash(newPassword)
    if ((await verifications.use('verify-email', token, now())) === undefined)
      throw fault('VERIFICATION_REJECTED')
    const claimed = await this.#deps.claims.claim(found.id, { passwordHash })
    if (claimed === undefined) throw fault('VERIFICATION_REJECTED')
    notices.passwordChanged(claimed.email)
    return claimed
  }

  async #addToken(purpose: VerificationPurpose, { id }: User, lifetimeMs: number): Promise<string> {
    const { verifications, now } = this.#deps
    const token = randomBytes(24).toString('base64url')
    await verifications.add(purpose, token, id, now() + lifetimeMs, now())
    return token
  }
}
