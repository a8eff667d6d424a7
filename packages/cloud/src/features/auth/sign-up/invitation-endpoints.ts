import { randomUUID } from 'node:crypto'
import { SINGLE_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { normalizeEmail } from '../../../identity/index.ts'
import type { Mailer } from '../../../mail/index.ts'
import type { Audit } from '../../audit/index.ts'
import { signUpLink } from '../links.ts'
import { coded, emailField, success } from '../schemas.ts'
import { MAX_INVITATIONS, type SignUpInvitation, SignUpInvitationStore } from './sign-up-invitation-store.ts'

export interface InvitationEndpointDeps {
  readonly invitations: SignUpInvitationStore
  readonly audit: Audit
  readonly mailer: Mailer
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

const invitationView = Type.Object(
  {
    id: Type.String(),
    email: Type.Union([Type.Null(), Type.String()], { description: 'Null: anybody who has the link' }),
    createdAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { title: 'SignUpInvitation' },
)

function toView({ id, email, createdAt, expiresAt }: SignUpInvitation) {
  return {
    id,
    email: email ?? null,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

/** Invites a person to create an account; the link is sent if an address is given, and returned once. */
const createInvitation = ({ audit, mailer, publicUrl, now }: InvitationEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/invitations',
    summary: 'Invite a person to create an account',
    audited: ['invitation.create'],
    ...coded,
    auth: administrator,
    schema: {
      body: Type.Object({ email: Type.Optional(emailField) }, { title: 'NewSignUpInvitation' }),
      response: {
        200: Type.Object({
          ...invitationView.properties,
          token: Type.String({
            description: 'The invitation of POST /api/auth/sign-up/email; it is not shown again',
          }),
          link: Type.String({ format: 'uri' }),
        }),
      },
    },
    errors: ['ACCOUNT_REQUEST_REJECTED', 'TOO_MANY_INVITATIONS'],
    handler: async ({ caller: { user: actor }, body, request }) => {
      const email = body.email === undefined ? undefined : normalizeEmail(body.email)
      if (body.email !== undefined && email === undefined) throw fault('ACCOUNT_REQUEST_REJECTED')
      const id = randomUUID()
      const details = { email: email ?? null }
      const act = { actor, request, action: 'invitation.create', target: id, details } as const
      const { invitation, token } = await audit.write(act, async (trx) => {
        const created = await new SignUpInvitationStore(trx).create(id, email, now())
        if (created === undefined)
          throw fault('TOO_MANY_INVITATIONS', {
            message: `There are ${MAX_INVITATIONS} open invitations, which is the limit; withdraw some first`,
          })
        return created
      })
      const link = signUpLink(publicUrl(), token, email)
      if (email !== undefined)
        mailer.send({
          to: email,
          subject: 'Invitation to Glasses Cloud',
          text: `You are invited to create an account at ${publicUrl().host}. The link is valid for 7 days.`,
          link,
        })
      return { ...toView(invitation), token, link }
    },
  })

/** Lists open invitations, newest first. */
const listInvitations = ({ invitations, now }: InvitationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/invitations',
    summary: 'List open invitations to create an account',
    audited: [],
    ...coded,
    auth: administrator,
    schema: { response: { 200: Type.Object({ invitations: Type.Array(invitationView) }) } },
    errors: [],
    handler: async () => ({ invitations: (await invitations.list(now())).map(toView) }),
  })

/** Withdraws an invitation. */
const deleteInvitation = ({ audit }: InvitationEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: '/api/auth/invitations/:id',
    summary: 'Withdraw an invitation to create an account',
    audited: ['invitation.withdraw'],
    ...coded,
    auth: administrator,
    schema: {
      params: Type.Object({ id: Type.String({ maxLength: 100, pattern: SINGLE_LINE_PATTERN }) }),
      response: { 200: success },
    },
    errors: ['SIGN_UP_INVITATION_NOT_FOUND'],
    handler: async ({ caller: { user: actor }, params: { id }, request }) => {
      await audit.write({ actor, request, action: 'invitation.withdraw', target: id }, async (trx) => {
        if (!(await new SignUpInvitationStore(trx).remove(id))) throw fault('SIGN_UP_INVITATION_NOT_FOUND')
      })
      return { success: true as const }
    },
  })

/** The endpoints with which administrators invite people to create an account. */
export const invitationEndpoints = (deps: InvitationEndpointDeps) => [
  createInvitation(deps),
  listInvitations(deps),
  deleteInvitation(deps),
]
