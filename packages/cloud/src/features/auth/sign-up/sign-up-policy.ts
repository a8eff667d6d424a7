import type { FastifyRequest } from 'fastify'
import type { SignUp } from '../../../config/index.ts'
import { fault } from '../../../http/fault.ts'
import { hashSecret, type InvitationStore } from '../../../identity/index.ts'
import type { SetUp } from './set-up.ts'
import type { SignUpInvitationStore } from './sign-up-invitation-store.ts'

/** What a sign-up presents. */
export interface SignUpRequest {
  /** Normalized. */
  readonly email: string
  readonly setUpCode?: string | undefined
  readonly invitation?: string | undefined
}

/** A permission to create one account. */
export interface SignUpPermit {
  /** Whether the account becomes the first administrator. */
  readonly isFirst: boolean
  /** Whether possession of the address is proven, by an invitation that was sent to it. */
  readonly provesEmail: boolean
  /** Returns the permission, because no account was created. */
  release(): Promise<void>
}

export interface SignUpPolicyDeps {
  readonly signUp: SignUp
  readonly setUp: SetUp
  readonly invitations: SignUpInvitationStore
  /** Invitations to organizations, which permit the invited person to create an account as well. */
  readonly organizationInvitations: Pick<InvitationStore, 'isInvited'>
  readonly now: () => number
}

/** Decides who may create an account (`SIGN_UP`). */
export class SignUpPolicy {
  readonly #deps: SignUpPolicyDeps

  constructor(deps: SignUpPolicyDeps) {
    this.#deps = deps
  }

  /** @throws Fault if the account must not be created */
  async permit(request: FastifyRequest, signUp: SignUpRequest): Promise<SignUpPermit> {
    const { setUp, invitations, organizationInvitations, now } = this.#deps
    if (await setUp.store.isPending()) return this.#permitFirst(request, signUp)
    if (this.#deps.signUp === 'open') return { isFirst: false, provesEmail: false, release: async () => {} }
    if (this.#deps.signUp === 'closed') throw fault('SIGN_UP_CLOSED')
    const { invitation: token, email } = signUp
    if (token === undefined) throw fault('INVITATION_REQUIRED')
    if (await organizationInvitations.isInvited(hashSecret(token), email, now()))
      return { isFirst: false, provesEmail: true, release: async () => {} }
    const invitation = await invitations.take(token, email, now())
    if (invitation === undefined) throw fault('INVITATION_REQUIRED')
    return {
      isFirst: false,
      provesEmail: invitation.email !== undefined,
      release: () => invitations.restore(invitation, token),
    }
  }

  async #permitFirst(request: FastifyRequest, signUp: SignUpRequest): Promise<SignUpPermit> {
    const { setUp, now } = this.#deps
    const hasCode = signUp.setUpCode !== undefined && setUp.isCode(signUp.setUpCode)
    if (!hasCode && !setUp.needsNoCode(request)) throw fault('SET_UP_CODE_REQUIRED')
    // Another sign-up may have been first.
    if (!(await setUp.store.complete(now()))) return this.permit(request, signUp)
    return { isFirst: true, provesEmail: true, release: () => setUp.store.revert() }
  }
}
