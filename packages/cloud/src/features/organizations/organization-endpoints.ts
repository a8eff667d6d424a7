import {
  newOrganization,
  organization,
  organizationChanges,
  organizationSummary,
  SLUG_PATTERN,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { isUniqueViolation } from '../../db/index.ts'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { dataResponse, developerPath, successResponse } from '../../http/schemas.ts'
import type { OrganizationStore } from '../../identity/index.ts'
import { organizationParams, requireAdmin, requireMember, toSummary, toView } from './access.ts'
import { type Invitations, isPlainName, MAX_MEMBERSHIPS } from './invitations.ts'

export interface OrganizationEndpointDeps {
  readonly organizations: OrganizationStore
  readonly invitations: Invitations
  /** Epoch ms. */
  readonly now: () => number
}

const MAX_LENGTH = 100

const SLUG = new RegExp(SLUG_PATTERN)

/** The form of the ids of organizations, which slugs must not have: an organization is found by either. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const common = { tags: ['organizations'], style: 'coded', auth: coreOrPersonalToken('account') } as const

export const organizationEndpoints = ({
  invitations,
  now,
  organizations,
}: OrganizationEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: developerPath('/orgs'),
    summary: 'List your organizations',
    schema: { response: { 200: dataResponse(Type.Array(organizationSummary)) } },
    errors: [],
    handler: async ({ caller: { user } }) => {
      const memberships = await organizations.organizationsOf(user.id)
      return {
        success: true as const,
        data: memberships.map(({ organization, role }) => toSummary(organization, role)),
      }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: developerPath('/orgs'),
    summary: 'Create an organization',
    schema: { body: newOrganization, response: { 200: dataResponse(organization) } },
    errors: ['SLUG_TAKEN', 'TOO_MANY_ORGANIZATIONS'],
    handler: async ({ caller: { user }, body }) => {
      const { name, slug = slugOf(name), profile = {} } = body
      if (!isUsableSlug(slug))
        throw fault('BAD_REQUEST', {
          message:
            body.slug === undefined
              ? 'name must have a Latin letter or a digit, and not the form of an id, unless a slug is given'
              : 'slug must have a letter or digit, and must not have the form of an id',
        })
      requirePlainName(name)
      const created = await organizations.create({ slug, name, profile }, user.id, MAX_MEMBERSHIPS, now())
      if (created === 'too_many') throw fault('TOO_MANY_ORGANIZATIONS')
      if (created === 'slug_taken')
        throw fault(
          'SLUG_TAKEN',
          body.slug === undefined
            ? { message: 'name is taken by another organization; choose another one' }
            : {},
        )
      const members = await organizations.membersOf(created.id)
      return { success: true as const, data: toView(created, 'admin', members, []) }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: developerPath('/orgs/:org'),
    summary: 'Get an organization with its members',
    schema: { params: Type.Object(organizationParams), response: { 200: dataResponse(organization) } },
    errors: ['ORGANIZATION_NOT_FOUND'],
    invalid: 'ORGANIZATION_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const access = await requireMember(organizations, user, params.org)
      const members = await organizations.membersOf(access.organization.id)
      const pending = access.role === 'admin' ? await invitations.list(access.organization) : undefined
      return { success: true as const, data: toView(access.organization, access.role, members, pending) }
    },
  }),
  endpoint({
    ...common,
    method: 'PATCH',
    url: developerPath('/orgs/:org'),
    summary: 'Change an organization',
    schema: {
      params: Type.Object(organizationParams),
      body: organizationChanges,
      response: { 200: dataResponse(organizationSummary) },
    },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'SLUG_TAKEN'],
    invalid: ({ part }) => (part === 'params' ? 'ORGANIZATION_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, body }) => {
      const { organization, role } = await requireAdmin(organizations, user, params.org)
      if (body.slug !== undefined && !isUsableSlug(body.slug))
        throw fault('BAD_REQUEST', { message: 'slug must not have the form of an id' })
      if (body.name !== undefined && body.name !== organization.name) requirePlainName(body.name)
      const updated = await organizations.update(organization.id, body).catch((cause: unknown) => {
        throw isUniqueViolation(cause) ? fault('SLUG_TAKEN', { cause }) : cause
      })
      if (updated === undefined) throw fault('ORGANIZATION_NOT_FOUND')
      return { success: true as const, data: toSummary(updated, role) }
    },
  }),
  endpoint({
    ...common,
    method: 'DELETE',
    url: developerPath('/orgs/:org'),
    summary: 'Delete an organization',
    schema: { params: Type.Object(organizationParams), response: { 200: successResponse } },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'ORGANIZATION_OWNS_APPS'],
    invalid: 'ORGANIZATION_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const { organization } = await requireAdmin(organizations, user, params.org)
      const outcome = await organizations.remove(organization.id)
      if (outcome === 'not_found') throw fault('ORGANIZATION_NOT_FOUND')
      if (outcome === 'owns_apps') throw fault('ORGANIZATION_OWNS_APPS')
      return { success: true as const }
    },
  }),
]

/** @throws Fault `BAD_REQUEST` unless the name can be in a message to strangers */
function requirePlainName(name: string): void {
  if (!isPlainName(name))
    throw fault('BAD_REQUEST', {
      message: 'name must not contain e-mail addresses, links or domain names, or control characters',
    })
}

/** Derives a slug from a name: `Acme Labs!` becomes `acme-labs`. Empty if the name has no Latin letter or digit. */
function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, MAX_LENGTH)
}

/** Whether a text can be the slug of an organization. */
function isUsableSlug(slug: string): boolean {
  return SLUG.test(slug) && !ID.test(slug)
}
