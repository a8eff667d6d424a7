import { createHash, randomBytes } from 'node:crypto'
import type { OrganizationRole } from '../../db/index.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type {
  Invitation,
  InvitationRejection,
  InvitationStore,
  Organization,
  User,
} from '../../identity/index.ts'
import type { Mailer } from '../../mail/index.ts'
import type { DeletionStep, ExportSection } from '../../personal-data.ts'

/** How long an invitation is valid. */
const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

export interface InvitationsDeps {
  readonly store: InvitationStore
  readonly mailer: Mailer
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** Invites people to organizations by e-mail. The token in the mail is valid once, for seven days. */
export class Invitations {
  readonly #deps: InvitationsDeps

  constructor(deps: InvitationsDeps) {
    this.#deps = deps
  }

  /** Invites an address; an earlier invitation of the address becomes invalid. @param email lower case */
  async invite(
    organization: Organization,
    email: string,
    role: OrganizationRole,
  ): Promise<Invitation | InvitationRejection> {
    const { store, now } = this.#deps
    const token = this.#newToken()
    const invitation = await store.add({ organizationId: organization.id, email, role }, token, now())
    if (typeof invitation === 'object') this.#send(organization, email, token.text)
    return invitation
  }

  /** Sends an invitation again, with a new token. @returns undefined if it does not exist */
  async resend(organization: Organization, id: string): Promise<Invitation | undefined> {
    const token = this.#newToken()
    const invitation = await this.#deps.store.renew(organization.id, id, token)
    if (invitation) this.#send(organization, invitation.email, token.text)
    return invitation
  }

  /** @returns whether the invitation existed */
  rescind(organization: Organization, id: string): Promise<boolean> {
    return this.#deps.store.remove(organization.id, id)
  }

  list(organization: Organization): Promise<Invitation[]> {
    return this.#deps.store.listByOrganization(organization.id, this.#deps.now())
  }

  /** Makes the user a member. @returns the id of the organization, or why the token was rejected */
  accept(token: string, user: User): Promise<string | 'another_address' | undefined> {
    return this.#deps.store.accept(hashToken(token), user, this.#deps.now())
  }

  #newToken() {
    const text = randomBytes(32).toString('base64url')
    return { text, hash: hashToken(text), expiresAt: this.#deps.now() + INVITATION_LIFETIME_MS }
  }

  #send({ name }: Organization, to: string, token: string): void {
    const url = baseUrlOf(this.#deps.publicUrl())
    this.#deps.mailer.send({
      to,
      subject: `Invitation to ${name}`,
      text: [
        `You are invited to join the organization ${name} on ${url}.`,
        'Open the link within 7 days, and sign in or sign up with this e-mail address.',
      ].join('\n'),
      // Browsers send the fragment to no server.
      link: `${url}/join#token=${token}`,
    })
  }
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Exports the pending invitations of the user's address, without their tokens. */
export function invitationsExport(invitations: InvitationStore): ExportSection {
  return {
    name: 'invitations',
    tables: ['organization_invitations'],
    async *facts({ email }) {
      for (const { id: key, organizationName, role, createdAt, expiresAt } of await invitations.listByEmail(
        email,
      )) {
        const value = { organization: organizationName, role, expiresAt: new Date(expiresAt).toISOString() }
        yield { key, value, updatedAt: createdAt }
      }
    },
  }
}

/** Deletes the pending invitations of the user's address. */
export function deleteInvitations(invitations: InvitationStore): DeletionStep {
  return {
    name: 'invitations',
    phase: 'content',
    tables: ['organization_invitations'],
    run: async ({ email, ownsAddress }) => {
      if (ownsAddress) await invitations.removeByEmail(email)
    },
  }
}
