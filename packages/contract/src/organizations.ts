import { type Static, Type } from 'typebox'
import { developerProfile } from './apps.ts'
import { SLUG_PATTERN } from './manifest.ts'
import { SINGLE_LINE_PATTERN } from './size-limits.ts'

/** Roles of members in an organization. */
export const ORGANIZATION_ROLES = ['admin', 'member'] as const

export const organizationRole = Type.Enum(ORGANIZATION_ROLES, { title: 'OrganizationRole' })

const isoTime = Type.String({ format: 'date-time' })

const summary = {
  id: Type.String(),
  slug: Type.String({ description: 'Unique; may be used in place of the id' }),
  name: Type.String(),
  profile: developerProfile,
  role: Type.Enum(ORGANIZATION_ROLES, { description: 'Role of the caller' }),
  createdAt: isoTime,
}

/** Schema of an organization in a list. */
export const organizationSummary = Type.Object(summary, { title: 'OrganizationSummary' })

/** An organization in a list. */
export type OrganizationSummary = Static<typeof organizationSummary>

/** Schema of a member of an organization. */
export const organizationMember = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: organizationRole,
    joinedAt: isoTime,
  },
  { title: 'OrganizationMember' },
)

/** Schema of a pending invitation. */
export const organizationInvitation = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role: organizationRole,
    createdAt: isoTime,
    expiresAt: isoTime,
  },
  { title: 'OrganizationInvitation' },
)

/** Schema of an invitation for the person who invites. */
export const handedInvitation = Type.Object(
  {
    ...organizationInvitation.properties,
    link: Type.String({
      format: 'uri',
      description:
        'To hand over to the invited person; not shown again. Unlike the link in the message, it does not confirm the address',
    }),
    isMailed: Type.Boolean({
      description: 'Whether a mail server sends the message; otherwise it is in MAIL_FILE or the log',
    }),
  },
  { title: 'HandedInvitation' },
)

/** A pending invitation. */
export type OrganizationInvitation = Static<typeof organizationInvitation>

/** Schema of an organization with its members. */
export const organization = Type.Object(
  {
    ...summary,
    members: Type.Array(organizationMember),
    invitations: Type.Optional(
      Type.Array(organizationInvitation, { description: 'Pending invitations; for administrators only' }),
    ),
  },
  { title: 'Organization' },
)

/** An organization with its members. */
export type Organization = Static<typeof organization>

const line = (maxLength: number) => Type.String({ maxLength, pattern: SINGLE_LINE_PATTERN })
const webAddress = Type.String({ maxLength: 2_000, pattern: '^(https?://[^\\s]+)?$' })

const name = Type.String({ minLength: 1, maxLength: 200, pattern: SINGLE_LINE_PATTERN })
const slug = Type.String({ pattern: SLUG_PATTERN })

const profile = Type.Partial(
  Type.Object({
    company: line(200),
    website: webAddress,
    contactEmail: line(254),
    description: Type.String({ maxLength: 5_000, pattern: '^[^\\x00]*$' }),
    logo: webAddress,
  }),
  { additionalProperties: false },
)

/** Schema of the body that creates an organization. */
export const newOrganization = Type.Object(
  { name, slug: Type.Optional(slug), profile: Type.Optional(profile) },
  { title: 'NewOrganization', additionalProperties: false },
)

/** Schema of the body that changes an organization; omitted fields keep their values. */
export const organizationChanges = Type.Partial(Type.Object({ name, slug, profile }), {
  title: 'OrganizationChanges',
  additionalProperties: false,
})
