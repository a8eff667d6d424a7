import type { NewHolder, User } from './user-store.ts'

/** Gives addresses to the people who have proven to own them. */
export interface AccountClaims {
  /**
   * Replaces the account of an unconfirmed address with a new, confirmed one. Everything that the earlier holder made or
   * may use is deleted first. A claim is stored: if the process ends before it is complete, another completes it.
   * @returns the new account; undefined if the user does not exist, or the address was confirmed
   * @throws Error if a step of the deletion fails; the claim is then retried in the background
   */
  claim(userId: string, holder?: NewHolder): Promise<User | undefined>
}

/** The claims for what exists before the feature that carries them out. Connected before the cloud serves. */
export class LateAccountClaims implements AccountClaims {
  #claims: AccountClaims | undefined

  connect(claims: AccountClaims): void {
    this.#claims = claims
  }

  claim(userId: string, holder?: NewHolder): Promise<User | undefined> {
    if (this.#claims === undefined) throw new Error('The claims are not connected yet')
    return this.#claims.claim(userId, holder)
  }
}
