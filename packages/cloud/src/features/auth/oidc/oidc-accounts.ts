import type { SignUp } from '../../../config/index.ts'
import { fault } from '../../../http/fault.ts'
import {
  type Authenticator,
  type ForeignAuthentication,
  type IssuerEmail,
  issuedBefore,
  normalizeEmail,
  type User,
  type UserStore,
} from '../../../identity/index.ts'
import type { HolderCheck } from '../password/password-accounts.ts'
import type { SecurityNotices } from '../security-notices.ts'
import type { SignInMethodStore } from '../sign-in-method-store.ts'
import type { OidcAccountStore } from './oidc-account-store.ts'

export interface OidcAccountsDeps {
  readonly store: OidcAccountStore
  readonly methods: SignInMethodStore
  readonly users: UserStore
  readonly authenticator: Authenticator
  readonly notices: SecurityNotices
  readonly signUp: SignUp
  readonly issuers: readonly { readonly id: string; readonly label: string }[]
  readonly now: () => number
}

/** An account at an issuer of `OIDC_ISSUERS`, whose tokens were verified. */
export type OidcAccount = IssuerEmail & {
  readonly issuerId: string
  readonly subject: string
  /** When its tokens were issued, epoch ms; undefined if the issuer does not state it. */
  readonly issuedAt: number | undefined
}

/** The users to whom accounts at issuers belong. */
export class OidcAccounts {
  readonly #deps: OidcAccountsDeps

  constructor(deps: OidcAccountsDeps) {
    this.#deps = deps
  }

  /**
   * Returns the user of an account: the one to whom it is linked, otherwise the one with its verified address, who is
   * created if necessary. A user with another way to sign in has to use that first, and to link the account then (OIDC-8).
   * In the browser of the holder of an unconfirmed account, its address is confirmed; elsewhere the account is claimed.
   * @returns the user, or why the tokens are rejected
   * @throws Fault `ACCOUNT_LINK_REQUIRED` for such a user; `OIDC_EMAIL_MISSING`, `OIDC_EMAIL_NOT_VERIFIED`,
   *   `SIGN_UP_CLOSED`, `ACCOUNT_SUSPENDED`
   */
  async userOf(
    account: OidcAccount,
    isHolder: HolderCheck = async () => false,
  ): Promise<ForeignAuthentication> {
    const { store, methods, users, authenticator, signUp, now } = this.#deps
    const linkedId = await store.findUserId(account.issuerId, account.subject)
    const linked = linkedId === undefined ? undefined : await users.findById(linkedId)
    if (linked !== undefined) {
      withAccess(linked)
      if (issuedBefore(account, linked.tokensValidFrom)) return { ok: false, reason: 'revoked' }
      return { ok: true, user: linked }
    }
    const { emailProblem } = account
    if (emailProblem !== undefined) throw fault(emailProblem.code, { cause: emailProblem.reason })
    const email = normalizeEmail(account.email)
    if (email === undefined) return { ok: false, reason: 'invalid' }
    const existing = await users.findByEmail(email)
    if (existing === undefined && signUp === 'closed') throw fault('SIGN_UP_CLOSED')
    const isOwn = existing?.isEmailVerified === false && (await isHolder(existing.id))
    if (isOwn) await users.setEmailVerified(existing.id, now())
    if ((isOwn || existing?.isEmailVerified === true) && (await methods.hasAny(existing.id)))
      throw fault('ACCOUNT_LINK_REQUIRED')
    const outcome = await authenticator.authenticateIdentity({ email, issuedAt: account.issuedAt })
    if (!outcome.ok) {
      if (outcome.reason === 'suspended') throw fault('ACCOUNT_SUSPENDED')
      return outcome
    }
    const { user } = outcome
    if (!(await this.#linkFirst(user, account))) throw fault('ACCOUNT_LINK_REQUIRED')
    if (existing !== undefined) this.#notify(user, account)
    return outcome
  }

  /** Links an account to a user who is signed in. @throws Fault `OIDC_ACCOUNT_TAKEN`, `ACCOUNT_SUSPENDED` */
  async link(user: User, account: OidcAccount): Promise<void> {
    const { store, now } = this.#deps
    withAccess(user)
    await store.link(account.issuerId, account.subject, user.id, now())
    if ((await store.findUserId(account.issuerId, account.subject)) !== user.id)
      throw fault('OIDC_ACCOUNT_TAKEN')
    this.#notify(user, account)
  }

  /** Links an account to a user who has no way to sign in. @returns false if the user has one meanwhile */
  async #linkFirst(user: User, { issuerId, subject }: OidcAccount): Promise<boolean> {
    const { store, now } = this.#deps
    await store.linkFirst(issuerId, subject, user.id, now())
    return (await store.findUserId(issuerId, subject)) === user.id
  }

  #notify({ email }: User, { issuerId }: OidcAccount): void {
    const { issuers, notices } = this.#deps
    notices.accountLinked(email, issuers.find(({ id }) => id === issuerId)?.label ?? issuerId)
  }
}

function withAccess(user: User): User {
  if (user.suspendedAt !== undefined) throw fault('ACCOUNT_SUSPENDED')
  return user
}
