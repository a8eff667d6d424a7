import { createHmac } from 'node:crypto'
import type { SignUp } from '../../../config/index.ts'
import { fault } from '../../../http/fault.ts'
import { hashSecret, type InvitationStore, isEqualSecret } from '../../../identity/index.ts'
import type { SetUpStore } from './set-up-store.ts'
import type { SignUpInvitationStore } from './sign-up-invitation-store.ts'

/** Letters and digits that are not mistaken for others. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'

const CODE_LENGTH = 12

/**
 * The set-up of a new cloud: the first account becomes the administrator. It requires a code that only the operator can
 * read, wherever the request comes from: a proxy on the same machine forwards those of strangers.
 */
export class SetUp {
  readonly store: SetUpStore
  readonly #code: string

  constructor(store: SetUpStore, secret: string) {
    this.store = store
    this.#code = setUpCodeOf(secret)
  }

  /** Returns the code that the first account requires; undefined once the set-up is complete. */
  async code(): Promise<string | undefined> {
    return (await this.store.isPending()) ? this.#code : undefined
  }

  /** Returns whether a code is the set-up code, ignoring case and separators. */
  isCode(code: string): boolean {
    const plain = (text: string) => text.toUpperCase().replaceAll(/[\s-]/g, '')
    return isEqualSecret(plain(code), plain(this.#code))
  }
}

/** Derives the set-up code from the secret of the cloud, so that it is the same on all nodes and after a restart. */
export function setUpCodeOf(secret: string): string {
  const bytes = createHmac('sha256', secret).update('set-up code').digest()
  const letters = [...bytes.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/** What a sign-up presents. */
export interface SignUpRequest {
  /** Normalized. */
  readonly email: string
  readonly setUpCode?: string | undefined
  readonly invitation?: string | undefined
}

/** A permission to create one account: as the first administrator, with an invitation, or as anybody. */
export type SignUpPermit = {
  /** Whether possession of the address is proven, by the set-up code or an invitation that was sent to it. */
  readonly provesEmail: boolean
} & ({ readonly kind: 'first' | 'open' } | { readonly kind: 'invitation'; readonly token: string })

export interface SignUpPolicyDeps {
  readonly signUp: SignUp
  readonly setUp: SetUp
  readonly invitations: SignUpInvitationStore
  /** Invitations to organizations, which permit the invited person to create an account as well. */
  readonly organizationInvitations: Pick<InvitationStore, 'findInvited'>
  readonly now: () => number
}

/** Decides who may create an account (`SIGN_UP`). */
export class SignUpPolicy {
  readonly #deps: SignUpPolicyDeps

  constructor(deps: SignUpPolicyDeps) {
    this.#deps = deps
  }

  /** @throws Fault if the account must not be created */
  async permit({ email, setUpCode, invitation }: SignUpRequest): Promise<SignUpPermit> {
    const { setUp, signUp } = this.#deps
    if (await setUp.store.isPending()) {
      if (setUpCode === undefined || !setUp.isCode(setUpCode)) throw fault('SET_UP_CODE_REQUIRED')
      return { kind: 'first', provesEmail: true }
    }
    if (signUp === 'closed') throw fault('SIGN_UP_CLOSED')
    const invited = invitation === undefined ? undefined : await this.#permitInvited(invitation, email)
    if (invited !== undefined) return invited
    if (signUp === 'invite') throw fault('INVITATION_REQUIRED')
    return { kind: 'open', provesEmail: false }
  }

  async #permitInvited(token: string, email: string): Promise<SignUpPermit | undefined> {
    const { invitations, organizationInvitations, now } = this.#deps
    // It is used up when the invited person joins the organization.
    const invited = await organizationInvitations.findInvited(hashSecret(token), email, now())
    if (invited !== undefined) return { kind: 'open', provesEmail: invited.provesEmail }
    const invitation = await invitations.find(token, email, now())
    return invitation && { kind: 'invitation', token, provesEmail: invitation.email !== undefined }
  }
}
