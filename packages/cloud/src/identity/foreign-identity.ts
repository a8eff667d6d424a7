/** A user as verified by an identity provider. */
export interface ForeignIdentity {
  /** Not normalized. */
  readonly email: string
  /** Epoch milliseconds, to the second; undefined if the provider does not state it. */
  readonly issuedAt: number | undefined
  /** Whether the identity may only sign in to an account that exists, because sign-up is closed there. */
  readonly needsAccount?: boolean
}

/** Reads a token of an identity provider; resolves with undefined if the token is invalid. */
export type ForeignTokenReader = (token: string) => Promise<ForeignIdentity | undefined>
