import type { Database } from '../../../db/index.ts'
import { type User, UserStore } from '../../../identity/index.ts'
import { SignInMethodStore } from '../sign-in-method-store.ts'
import { SetUpStore } from './set-up-store.ts'
import { SignUpInvitationStore } from './sign-up-invitation-store.ts'
import type { SignUpPermit } from './sign-up-policy.ts'

/** What an account is created with. */
export interface NewAccount {
  /** Normalized. */
  readonly email: string
  readonly name: string
  readonly passwordHash: string
}

/** The outcome of a sign-up: the new account, the account that has the address, or a permit that was used up meanwhile. */
export type SignUpOutcome =
  | { readonly created: User }
  | { readonly existing: User }
  | { readonly isPermitUsed: true }

/** Ends a transaction of which nothing remains. */
class Rollback extends Error {
  readonly outcome: SignUpOutcome

  constructor(outcome: SignUpOutcome) {
    super('Nothing was created')
    this.outcome = outcome
  }
}

/** Creates accounts: each with everything that belongs to it in one transaction, so that no half account remains. */
export class AccountStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Uses up a permit and creates the account that it permits. The first account may be that of a user without a password,
   * whom the command line created, and becomes an administrator.
   */
  async create(
    { email, name, passwordHash }: NewAccount,
    permit: SignUpPermit,
    now: number,
  ): Promise<SignUpOutcome> {
    try {
      return await this.#db.transaction().execute(async (trx) => {
        const users = new UserStore(trx)
        if (!(await usePermit(trx, permit, email, now))) throw new Rollback({ isPermitUsed: true })
        const created = await users.create(email, name, now, { isEmailVerified: permit.provesEmail })
        const existing = created ?? (await users.findByEmail(email))
        // The account was deleted meanwhile.
        if (existing === undefined) throw new Rollback({ isPermitUsed: true })
        const isOwn =
          (created !== undefined || permit.kind === 'first') &&
          (await new SignInMethodStore(trx).addPassword(existing.id, passwordHash, now))
        if (!isOwn) throw new Rollback({ existing })
        if (permit.kind === 'first') {
          await users.setEmailVerified(existing.id, now)
          await users.setAdministrator(existing.id, true, now)
        }
        return { created: (await users.findById(existing.id)) ?? existing }
      })
    } catch (error) {
      if (error instanceof Rollback) return error.outcome
      throw error
    }
  }
}

/** @returns whether the permit is still valid; true for one of several concurrent callers */
async function usePermit(db: Database, permit: SignUpPermit, email: string, now: number): Promise<boolean> {
  if (permit.kind === 'first') return new SetUpStore(db).complete(now)
  if (permit.kind === 'invitation')
    return (await new SignUpInvitationStore(db).take(permit.token, email, now)) !== undefined
  return true
}
