import {
  developerAccount,
  developerApp,
  MAX_APPS_PER_OWNER,
  newApiKey,
  SHORT_LINE_PATTERN,
} from '@glasses-cloud/contract'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { BlobStore } from '../../blobs/index.ts'
import type { ChangeFeed, Database } from '../../db/index.ts'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { appParams, dataResponse, developerPath, successResponse } from '../../http/schemas.ts'
import {
  type ApiKeyStore,
  generateApiKey,
  type OrganizationStore,
  type User,
  writeAs,
} from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { ActOptions, Audit } from '../audit/index.ts'
import { type App, AppInReviewError, type AppStore, type Catalogue } from '../catalogue/index.ts'
import { findOwnOrganization, requestedOrganization, requireAppAdmin, requireOwner } from './access.ts'
import type { AppImageFiles } from './app-image-files.ts'
import { reload, toDeveloperApps, viewOf } from './app-view.ts'
import {
  NEW_APP,
  type OperatorFields,
  operatorChanges,
  publicationRequest,
  readChanges,
  readManifest,
  toChanges,
} from './manifest-rules.ts'
import type { Pings } from './ping/index.ts'
import type { Publishing } from './publishing.ts'
import type { ReviewStore } from './review-store.ts'

export interface DeveloperEndpointDeps {
  readonly db: Database
  readonly apps: AppStore
  readonly audit: Audit
  readonly catalogue: Catalogue
  readonly organizations: OrganizationStore
  readonly apiKeyStore: ApiKeyStore
  readonly changes: ChangeFeed
  readonly sessions: SessionDirectory
  readonly blobs: BlobStore
  readonly images: AppImageFiles
  readonly publishing: Publishing
  readonly reviews: ReviewStore
  readonly pings: Pings
  /** Package names that only administrators may register. */
  readonly reservedPackages: ReadonlySet<string>
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** Id or slug of an organization in a query or a body. */
export const organizationId = Type.String({ pattern: SHORT_LINE_PATTERN })

/** Organization header of clients; effective for members only (decision I7). */
const organizationHeader = Type.Object({
  'x-org-id': Type.Optional(
    Type.String({ description: 'Default for orgId; ignored unless you are a member of the organization' }),
  ),
})

/** Body of requests that create or change an app; its fields are validated one by one. */
const manifestBody = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The manifest of the app, or the fields to change. See docs/apps.md.',
})

/** Sessions that are notified at the same time. */
const BATCH_SIZE = 50

const common = { tags: ['developer'], style: 'coded' } as const

export function appEndpoints(deps: DeveloperEndpointDeps): Endpoint[] {
  const { organizations } = deps
  return [
    endpoint({
      ...common,
      method: 'GET',
      url: '/api/console/account',
      summary: 'Get your account and your organizations',
      auth: coreOrPersonalToken('account'),
      schema: { response: { 200: dataResponse(developerAccount) } },
      errors: [],
      handler: async ({ caller: { user } }) => {
        const { id, email, name, isAdministrator } = user
        const memberships = await organizations.organizationsOf(id)
        return {
          success: true as const,
          data: {
            id,
            email,
            name,
            isAdministrator,
            organizations: memberships.map(({ organization, role }) => {
              const { createdAt, ...fields } = organization
              return { ...fields, role, createdAt: new Date(createdAt).toISOString() }
            }),
          },
        }
      },
    }),
    endpoint({
      ...common,
      method: 'GET',
      url: developerPath('/apps'),
      summary: 'List your apps',
      auth: coreOrPersonalToken('apps:read'),
      schema: {
        querystring: Type.Object({ orgId: Type.Optional(organizationId), ...pageQuery }),
        headers: organizationHeader,
        response: { 200: dataResponse(Type.Array(developerApp)) },
      },
      errors: ['ORGANIZATION_NOT_FOUND'],
      handler: async ({ caller: { user }, query, headers, request, reply }) => {
        const { apps } = deps
        const page = parsePage(query)
        const organization = await requestedOrganization(organizations, user, {
          orgId: query.orgId,
          header: headers['x-org-id'],
        })
        const owned =
          organization === undefined
            ? await apps.listOwnedBy(
                { developer: user, organizationIds: await organizationIdsOf(deps, user.id) },
                withLookahead(page),
              )
            : await apps.listOwnedBy({ organizationIds: [organization.id] }, withLookahead(page))
        const visible = toPage(owned, page, ({ packageName }) => packageName, { request, reply })
        return { success: true as const, data: await toDeveloperApps(deps, visible) }
      },
    }),
    endpoint({
      ...common,
      method: 'POST',
      url: developerPath('/apps', '/apps/register'),
      summary: 'Create an app from its manifest; returns its API key, once',
      auth: coreOrPersonalToken('apps:write'),
      audited: ['app.administer'],
      schema: {
        querystring: Type.Object({ orgId: Type.Optional(organizationId) }),
        headers: organizationHeader,
        body: manifestBody,
        response: {
          200: dataResponse(
            Type.Object({ app: developerApp, ...Type.Pick(newApiKey, ['apiKey']).properties }),
          ),
        },
      },
      errors: ['MANIFEST_INVALID', 'PACKAGE_NAME_TAKEN', 'TOO_MANY_APPS', 'ORGANIZATION_NOT_FOUND'],
      handler: async ({ caller: { user }, query, headers, body, request }) => {
        const { publishing, reservedPackages, now } = deps
        const manifest = readManifest(body, user, reservedPackages)
        const organization = await ownerOf(
          deps,
          user,
          manifest.organization,
          query.orgId,
          headers['x-org-id'],
        )
        const owner =
          organization === undefined
            ? { developerId: user.email, developerUserId: user.id, organizationId: null }
            : { developerId: null, developerUserId: null, organizationId: organization.id }
        const { packageName, name, publicUrl } = manifest
        const registration = { ...toChanges(manifest), packageName, name, publicUrl, ...owner }
        const act = administrative(user, request, packageName, {
          ...operatorChanges(manifest, NEW_APP),
          ...(reservedPackages.has(packageName.toLowerCase()) && { isReserved: true }),
        })
        const created = await changeApp(deps, user, act, async (apps) => {
          const app = await apps.create(registration, MAX_APPS_PER_OWNER, now())
          if (app === 'too_many') throw fault('TOO_MANY_APPS')
          if (app === 'taken') throw fault('PACKAGE_NAME_TAKEN')
          if (app === undefined) throw new Error('The app was deleted during its creation')
          return app
        })
        const { apiKey } = await createKey(deps, user, created)
        if (publicationRequest(manifest, created.appStoreStatus) === 'publish')
          await publishing.publish(created, user.id)
        const app = await viewOf(deps, await reload(deps, created))
        return { success: true as const, data: { app, apiKey } }
      },
    }),
    endpoint({
      ...common,
      method: 'GET',
      url: developerPath('/apps/:packageName'),
      summary: 'Get one of your apps',
      auth: coreOrPersonalToken('apps:read'),
      schema: { params: appParams, response: { 200: dataResponse(developerApp) } },
      errors: ['APP_NOT_FOUND'],
      invalid: 'APP_NOT_FOUND',
      handler: async ({ caller: { user }, params }) => {
        const app = await requireOwner(deps, user, params.packageName)
        return { success: true as const, data: await viewOf(deps, app) }
      },
    }),
    endpoint({
      ...common,
      method: 'PATCH',
      url: developerPath('/apps/:packageName'),
      summary: 'Change fields of an app',
      auth: coreOrPersonalToken('apps:write'),
      audited: ['app.administer'],
      schema: { params: appParams, body: manifestBody, response: { 200: dataResponse(developerApp) } },
      errors: ['APP_NOT_FOUND', 'MANIFEST_INVALID', 'APP_IN_REVIEW'],
      invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
      handler: async ({ caller: { user }, params, body, request: received, log }) => {
        const { images, publishing, now } = deps
        const app = await requireOwner(deps, user, params.packageName)
        const manifest = readChanges(body, user, app)
        const { logoUrl, ...changes } = toChanges(manifest)
        // An app that is withdrawn from review can be changed.
        if (publicationRequest(manifest, app.appStoreStatus) === 'unpublish') await publishing.unpublish(app)
        const act = administrative(user, received, app.packageName, operatorChanges(manifest, app))
        const updated = await changeApp(deps, user, act, async (apps) => {
          const updated = await apps.update(app.id, changes, now()).catch(refuseInReview)
          if (updated === undefined) throw fault('APP_NOT_FOUND')
          return updated
        })
        if (logoUrl !== undefined) await images.setLogoUrl(app, logoUrl, log)
        if (publicationRequest(manifest, updated.appStoreStatus) === 'publish')
          await publishing.publish(updated, user.id)
        else await publishing.edited(updated)
        await applyToSessions(deps, updated, log)
        return { success: true as const, data: await viewOf(deps, await reload(deps, updated)) }
      },
    }),
    endpoint({
      ...common,
      method: 'DELETE',
      url: developerPath('/apps/:packageName'),
      summary: 'Delete an app',
      auth: coreOrPersonalToken('apps:write'),
      schema: { params: appParams, response: { 200: successResponse } },
      errors: ['APP_NOT_FOUND', 'APP_ADMIN_REQUIRED'],
      invalid: 'APP_NOT_FOUND',
      handler: async ({ caller: { user }, params, log }) => {
        const { apps, images, changes } = deps
        const app = await requireAppAdmin(deps, user, params.packageName)
        const users = await apps.usersRunning(app.id)
        if (!(await apps.remove(app.id))) throw fault('APP_NOT_FOUND')
        // Closes the sockets of the deleted keys.
        await changes.catchUp()
        await stopEverywhere(deps, app, users, log)
        await images.deleteAll(app, log)
        return { success: true as const }
      },
    }),
  ]
}

/** Applies a changed app to live sessions. The change is stored even if a session cannot be notified. */
export async function applyToSessions(
  { sessions }: { readonly sessions: SessionDirectory },
  { packageName }: Pick<App, 'packageName'>,
  log: FastifyBaseLogger,
): Promise<void> {
  await sessions.appChanged(packageName).catch((err: unknown) => {
    log.error({ err, packageName }, 'developer: sessions could not be notified of a changed app')
  })
}

/** @throws Fault `APP_IN_REVIEW` for an app in review, otherwise the error */
export function refuseInReview(error: unknown): never {
  throw error instanceof AppInReviewError ? fault('APP_IN_REVIEW') : error
}

/** Returns the act of an administrator that a request is; undefined if any developer could make it. */
function administrative(
  actor: User,
  request: FastifyRequest,
  packageName: string,
  details: OperatorFields & { readonly isReserved?: boolean },
): ActOptions | undefined {
  if (Object.keys(details).length === 0) return undefined
  return { actor, request, action: 'app.administer', target: packageName, details }
}

/** Changes an app for a user, and records it if it is the act of an administrator. @throws AccountEnded */
function changeApp(
  { db, apps, audit }: Pick<DeveloperEndpointDeps, 'db' | 'apps' | 'audit'>,
  user: User,
  act: ActOptions | undefined,
  change: (apps: AppStore) => Promise<App>,
): Promise<App> {
  const write = (within: Database) => writeAs(within, user.id, (trx) => change(apps.within(trx)))
  return act === undefined ? write(db) : audit.write(act, write)
}

async function organizationIdsOf(
  { organizations }: DeveloperEndpointDeps,
  userId: string,
): Promise<string[]> {
  return (await organizations.organizationsOf(userId)).map(({ organization }) => organization.id)
}

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

/** Stops a deleted app in the sessions of users. Failures are logged. */
async function stopEverywhere(
  { sessions }: { readonly sessions: SessionDirectory },
  { packageName }: Pick<App, 'packageName'>,
  userIds: readonly string[],
  log: FastifyBaseLogger,
): Promise<void> {
  for (let start = 0; start < userIds.length; start += BATCH_SIZE) {
    const stops = userIds.slice(start, start + BATCH_SIZE).map(async (userId) => {
      const session = await sessions.find(userId)
      await session?.stopApp(packageName)
    })
    for (const stop of await Promise.allSettled(stops))
      if (stop.status === 'rejected')
        log.warn(
          { err: stop.reason, packageName },
          'developer: a deleted app could not be stopped in a session',
        )
  }
}

/** Creates an API key of an app for a user. A third key replaces the oldest. @throws AccountEnded */
export async function createKey(
  { db, apiKeyStore, now }: Pick<DeveloperEndpointDeps, 'db' | 'apiKeyStore' | 'now'>,
  { id: userId }: User,
  { id: appId }: Pick<App, 'id'>,
) {
  const { keyId, key, signingKey } = generateApiKey()
  const createdAt = now()
  await writeAs(db, userId, (trx) => apiKeyStore.within(trx).add(appId, keyId, signingKey, createdAt))
  return { id: keyId, createdAt: new Date(createdAt).toISOString(), apiKey: key }
}
