import { createHash, randomBytes } from 'node:crypto'
import type { OrganizationRole } from '../../db/index.ts'
import { baseUrlOf } from '../../http/request-origin.ts'
import type {
  GuessLimiter,
  Invitation,
  InvitationRejection,
  InvitationStore,
  InvitationTokens,
  Organization,
  OrganizationStore,
  User,
} from '../../identity/index.ts'
import type { Mailer } from '../../mail/index.ts'
import type { DeletionStep, ExportSection } from '../../personal-data.ts'

/** How long an invitation is valid. */
const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

/** Organizations that a user may belong to. */
export const MAX_MEMBERSHIPS = 50

/** How many invitations are sent within {@link MAIL_WINDOW_MS}, whatever the organization. */
const MAX_MAILS = { fromSender: 100, toRecipient: 10, fromSenderToRecipient: 3 }

const MAIL_WINDOW_MS = 24 * 60 * 60 * 1000

export interface InvitationsDeps {
  readonly store: InvitationStore
  readonly organizations: Pick<OrganizationStore, 'membership'>
  readonly mailer: Mailer
  /** Counts messages by sender and recipient, on all nodes together. */
  readonly mails: GuessLimiter
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** The tokens of an invitation: for the message, and for the person who invites. */
interface NewTokens extends InvitationTokens {
  readonly mailed: string
  readonly handed: string
}

/** Too many invitations were sent by a user, or to an address. */
export class TooManyMails extends Error {
  readonly waitSeconds: number

  constructor(waitSeconds: number) {
    super('Too many invitations were sent')
    this.waitSeconds = waitSeconds
  }
}

/** Joiners within a word or an emoji, as Persian, Indic scripts and families have them. */
const JOINERS =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200C\u200D](?=[\p{L}\p{Extended_Pictographic}])/gu

/**
 * Returns whether a name can be in a message to strangers: it has neither an address nor a link, nor what mail programs turn
 * into one, nor characters that are invisible or change the direction of the text.
 */
export function isPlainName(name: string): boolean {
  const plain = name.normalize('NFKC').replaceAll(JOINERS, '')
  return !/[\p{C}\p{Zl}\p{Zp}]|@|:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2}/iu.test(plain)
}

/** An invitation as the person who invites receives it. */
export interface HandedInvitation extends Invitation {
  /** To hand over to the invited person. It has a token of its own, which does not prove that the address is theirs. */
  readonly link: string
  /** Whether a mail server sends the message to the address. */
  readonly isMailed: boolean
}

/** Invites people to organizations, by e-mail and with a link. Whichever is used first is valid, for seven days. */
export class Invitations {
  readonly #deps: InvitationsDeps

  constructor(deps: InvitationsDeps) {
    this.#deps = deps
  }

  /**
   * Invites an address; an earlier invitation of the address becomes invalid.
   * @param email lower case
   * @throws TooManyMails
   */
  async invite(
    sender: User,
    organization: Organization,
    email: string,
    role: OrganizationRole,
  ): Promise<HandedInvitation | InvitationRejection> {
    const { store, now } = this.#deps
    await this.#countMail(sender, email)
    const tokens = this.#newTokens(organization)
    const invitation = await store.add({ organizationId: organization.id, email, role }, tokens, now())
    return typeof invitation === 'object' ? this.#hand(organization, invitation, tokens) : invitation
  }

  /**
   * Sends an invitation again, with new tokens.
   * @returns undefined if it does not exist
   * @throws TooManyMails
   */
  async resend(sender: User, organization: Organization, id: string): Promise<HandedInvitation | undefined> {
    const email = await this.#deps.store.findEmail(organization.id, id)
    if (email === undefined) return undefined
    await this.#countMail(sender, email)
    const tokens = this.#newTokens(organization)
    const invitation = await this.#deps.store.renew(organization.id, id, tokens)
    return invitation && this.#hand(organization, invitation, tokens)
  }

  /** @returns whether the invitation existed */
  rescind(organization: Organization, id: string): Promise<boolean> {
    return this.#deps.store.remove(organization.id, id)
  }

  list(organization: Organization): Promise<Invitation[]> {
    return this.#deps.store.listByOrganization(organization.id, this.#deps.now())
  }

  /**
   * Makes the user a member.
   * @returns the id of the organization, also to a member who presents a token again, because the response was lost; or why
   *   the token was rejected
   */
  async accept(token: string, user: User): Promise<string | 'another_address' | 'too_many' | undefined> {
    const { store, organizations, now } = this.#deps
    const accepted = await store.accept(hashToken(token), user, MAX_MEMBERSHIPS, now())
    if (accepted !== undefined) return accepted
    const [, organizationId = ''] = token.split('.')
    const role = await organizations.membership(organizationId, user.id)
    return role === undefined ? undefined : organizationId
  }

  /** @throws TooManyMails */
  async #countMail({ id }: User, recipient: string): Promise<void> {
    const limit = (purpose: string, subject: string, attempts: number) => ({
      purpose: `invitations ${purpose}`,
      subject,
      attempts,
      windowMs: MAIL_WINDOW_MS,
    })
    // The recipient is counted last, so that no sender alone uses up what others may send there.
    for (const each of [
      limit('of a sender to a recipient', `${id} ${recipient}`, MAX_MAILS.fromSenderToRecipient),
      limit('of a sender', id, MAX_MAILS.fromSender),
      limit('to a recipient', recipient, MAX_MAILS.toRecipient),
    ]) {
      const waitSeconds = await this.#deps.mails.attempt(each)
      if (waitSeconds !== undefined) throw new TooManyMails(waitSeconds)
    }
  }

  #newTokens({ id }: Organization): NewTokens {
    const [mailed, handed] = [newToken(id), newToken(id)]
    const expiresAt = this.#deps.now() + INVITATION_LIFETIME_MS
    return { mailed, handed, hash: hashToken(mailed), linkHash: hashToken(handed), expiresAt }
  }

  /** Sends the message, and returns the invitation for the person who invites. */
  #hand(organization: Organization, invitation: Invitation, { mailed, handed }: NewTokens): HandedInvitation {
    this.#send(organization, invitation.email, mailed)
    return { ...invitation, link: this.#link(handed), isMailed: this.#deps.mailer.reachesRecipients }
  }

  #link(token: string): string {
    // Browsers send the fragment to no server.
    return `${baseUrlOf(this.#deps.publicUrl())}/join#token=${token}`
  }

  #send({ name }: Organization, to: string, token: string): void {
    const url = baseUrlOf(this.#deps.publicUrl())
    this.#deps.mailer.send({
      to,
      subject: 'Invitation to an organization',
      text: [
        `You are invited to join ${isPlainName(name) ? `the organization “${name}”` : 'an organization'} on ${url}.`,
        'Open the link within 7 days, and sign in or sign up with this e-mail address.',
      ].join('\n'),
      link: this.#link(token),
    })
  }
}

/** A secret, and the organization of which a used token makes a member. */
const newToken = (organizationId: string) => `${randomBytes(32).toString('base64url')}.${organizationId}`

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Exports the pending invitations of the user's address, if it is confirmed, without their tokens. */
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
