import { developerApp, MAX_APPS_PER_OWNER, newApiKey } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { User } from '../../identity/index.ts'
import { findOwnOrganization, requestedOrganization } from './access.ts'
import { reload, viewOf } from './app-view.ts'
import type { DeveloperEndpointDeps } from './deps.ts'
import { publicationRequest, readManifest, toChanges } from './manifest-rules.ts'
import { createKey } from './new-key.ts'
import { manifestBody, organizationHeader, organizationId } from './schemas.ts'

/** Creates an app, owned by the caller or by an organization of the caller, with its first API key. */
export const createApp = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: developerPath('/apps', '/apps/register'),
    summary: 'Create an app from its manifest; returns its API key, once',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:write'),
    schema: {
      querystring: Type.Object({ orgId: Type.Optional(organizationId) }),
      headers: organizationHeader,
      body: manifestBody,
      response: {
        200: dataResponse(Type.Object({ app: developerApp, ...Type.Pick(newApiKey, ['apiKey']).properties })),
      },
    },
    errors: ['MANIFEST_INVALID', 'PACKAGE_NAME_TAKEN', 'TOO_MANY_APPS', 'ORGANIZATION_NOT_FOUND'],
    handler: async ({ caller: { user }, query, headers, body }) => {
      const { apps, publishing, reservedPackages, now } = deps
      const manifest = readManifest(body, user, reservedPackages)
      const organization = await ownerOf(deps, user, manifest.organization, query.orgId, headers['x-org-id'])
      const owner =
        organization === undefined
          ? { developerId: user.email, organizationId: null }
          : { developerId: null, organizationId: organization.id }
      const owned = await apps.listOwnedBy(
        organization === undefined ? { email: user.email } : { organizationIds: [organization.id] },
        { limit: MAX_APPS_PER_OWNER },
      )
      if (owned.length >= MAX_APPS_PER_OWNER) throw fault('TOO_MANY_APPS')
      const { packageName, name, publicUrl } = manifest
      const created = await apps.create(
        { ...toChanges(manifest), packageName, name, publicUrl, ...owner },
        now(),
      )
      if (created === undefined) throw fault('PACKAGE_NAME_TAKEN')
      const { apiKey } = await createKey(deps, created)
      if (publicationRequest(manifest, created.appStoreStatus) === 'publish')
        await publishing.publish(created)
      const app = await viewOf(deps, await reload(deps, created))
      return { success: true as const, data: { app, apiKey } }
    },
  })

/** The organization that the manifest names by its slug, or the request. */
async function ownerOf(
  { organizations }: DeveloperEndpointDeps,
  user: User,
  slug: string | undefined,
  orgId: string | undefined,
  header: string | undefined,
) {
  if (slug === undefined) return requestedOrganization(organizations, user, { orgId, header })
  const organization = await findOwnOrganization(organizations, user, slug)
  if (organization === undefined) throw fault('ORGANIZATION_NOT_FOUND')
  return organization
}
