import {
  appDetails,
  appItem,
  type ConnectedGlasses,
  installedApp,
  publicApp,
  SINGLE_LINE_PATTERN,
} from '@glasses-cloud/contract'
import { type TSchema, Type } from 'typebox'
import type { About } from '../../config/index.ts'
import { LruCache } from '../../db/index.ts'
import { allowedApiKey, coreOrStoreToken, eitherOf, optionalCoreOrStoreToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { appJson, listJson, sendJson, sendList } from './app-json.ts'
import type { AppLists } from './app-lists.ts'
import type { Catalogue } from './catalogue.ts'
import { readLiveState } from './user-apps.ts'

export interface CatalogueEndpointDeps {
  readonly about: About
  readonly catalogue: Catalogue
  readonly lists: AppLists
  readonly sessions: SessionDirectory
}

/** Lists that are kept: those of the models and versions that are used most. */
const MAX_COMPLETE_LISTS = 32

/** The JSON of lists that fit on one page, by model and version of glasses, in the current version of the catalogue. */
class CompleteLists {
  #version: object | undefined
  #lists = new LruCache<Buffer>(MAX_COMPLETE_LISTS)

  get(version: object, glasses: ConnectedGlasses | null): Buffer | undefined {
    return version === this.#version ? this.#lists.get(keyOf(glasses)) : undefined
  }

  set(version: object, glasses: ConnectedGlasses | null, json: Buffer): void {
    if (version !== this.#version) this.#lists = new LruCache(MAX_COMPLETE_LISTS)
    this.#version = version
    this.#lists.set(keyOf(glasses), json)
  }
}

const common = { tags: ['apps'], style: 'envelope' } as const

export const listEndpoints = ({ catalogue, lists, sessions }: CatalogueEndpointDeps): Endpoint[] => [
  // Returns the apps the user may see, with their state for the user (decision C2).
  endpoint({
    ...common,
    method: 'GET',
    url: appPath(''),
    summary: 'List the apps of a user',
    auth: eitherOf(coreOrStoreToken, allowedApiKey),
    schema: { querystring: Type.Object(pageQuery), response: { 200: listResponse(appItem) } },
    errors: [],
    handler: async ({ caller: { user }, query, log, request, reply }) => {
      const page = parsePage(query)
      const [apps, lastActive, isOwner, newPermissionsOf, live] = await Promise.all([
        lists.visibleTo(user, withLookahead(page)),
        catalogue.lastActiveOf(user),
        catalogue.ownershipOf(user),
        catalogue.newPermissionsOf(user),
        readLiveState(sessions, user, log),
      ])
      const entries = toPage(apps, page, byPackage, { request, reply })
      const data = entries.map((entry) =>
        appJson.item(entry, {
          isRunning: live.isRunning(entry.packageName),
          lastActiveAt: lastActive.get(entry.app.id) ?? null,
          compatibility: entry.compatibility(live.glasses),
          isOwner: isOwner(entry.app),
          newPermissions: newPermissionsOf(entry.app),
        }),
      )
      return sendList(reply, data)
    },
  }),
  // Returns the apps whose name or description contains a text (decision C4).
  endpoint({
    ...common,
    method: 'GET',
    url: appPath('/search'),
    summary: 'Search apps by name and description',
    auth: optionalCoreOrStoreToken,
    schema: {
      querystring: Type.Object({
        q: Type.Optional(Type.String({ maxLength: 200, description: 'Required' })),
        organizationId: Type.Optional(plainText),
        ...pageQuery,
      }),
      response: { 200: listResponse(appDetails) },
    },
    errors: ['SEARCH_QUERY_REQUIRED'],
    handler: async ({ caller, query, request, reply }) => {
      const page = parsePage(query)
      // No name contains control characters, and PostgreSQL rejects U+0000.
      const text = (query.q ?? '').replace(/\p{Cc}/gu, ' ').trim()
      if (text === '') throw fault('SEARCH_QUERY_REQUIRED')
      const apps = await lists.search(
        text,
        caller.kind === 'user' ? caller.user : undefined,
        withLookahead(page),
        query.organizationId,
      )
      const entries = toPage(apps, page, byPackage, { request, reply })
      const data = entries.map((entry) => appJson.details(entry, catalogue.statusOf(entry.app)))
      return sendList(reply, data)
    },
  }),
  // Returns the published apps whose server is not known to be down (decision C3).
  endpoint({
    ...common,
    method: 'GET',
    url: appPath('/available'),
    summary: 'List the available apps',
    auth: optionalCoreOrStoreToken,
    schema: {
      querystring: Type.Object({ organizationId: Type.Optional(plainText), ...pageQuery }),
      response: { 200: listResponse(appDetails) },
    },
    errors: [],
    handler: async ({ query, request, reply }) => {
      const page = parsePage(query)
      const apps = await lists.available(withLookahead(page), query.organizationId)
      const entries = toPage(apps, page, byPackage, { request, reply })
      const data = entries.map((entry) => appJson.details(entry, catalogue.statusOf(entry.app)))
      return sendList(reply, data)
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: appPath('/installed'),
    summary: 'List the installed apps',
    auth: coreOrStoreToken,
    schema: { querystring: Type.Object(pageQuery), response: { 200: listResponse(installedApp) } },
    errors: [],
    handler: async ({ caller: { user }, query, log, request, reply }) => {
      const page = parsePage(query)
      const [apps, installs, newPermissionsOf, { glasses }] = await Promise.all([
        lists.installedBy(user, withLookahead(page)),
        catalogue.installsOf(user),
        catalogue.newPermissionsOf(user),
        readLiveState(sessions, user, log),
      ])
      const entries = toPage(apps, page, byPackage, { request, reply })
      const data = entries.map((entry) => {
        // System apps count as installed since the account exists.
        const installedAt = installs.get(entry.app.id)?.installedAt ?? user.createdAt
        const status = catalogue.statusOf(entry.app)
        return appJson.installed(entry, installedAt, status, {
          compatibility: entry.compatibility(glasses),
          newPermissions: newPermissionsOf(entry.app),
        })
      })
      return sendList(reply, data)
    },
  }),
]

/** Returns the published apps that the connected glasses can run (decision C3). */
export const listPublicApps = ({ sessions, lists }: CatalogueEndpointDeps) => {
  const complete = new CompleteLists()
  return endpoint({
    method: 'GET',
    url: appPath('/public'),
    summary: 'List the published apps',
    tags: ['apps'],
    style: 'envelope',
    auth: optionalCoreOrStoreToken,
    schema: { querystring: Type.Object(pageQuery), response: { 200: listResponse(publicApp) } },
    errors: [],
    handler: async ({ caller, query, log, request, reply }) => {
      const page = parsePage(query)
      const glasses =
        caller.kind === 'user' ? (await readLiveState(sessions, caller.user, log)).glasses : null
      const version = await lists.version()
      const ready = isFirstPage(query) ? complete.get(version, glasses) : undefined
      if (ready) return sendJson(reply, ready)
      const apps = await lists.published(
        withLookahead(page),
        (entry) => entry.compatibility(glasses).value.isCompatible,
      )
      const entries = toPage(apps, page, byPackage, { request, reply })
      const json = listJson(entries.map(appJson.public))
      if (isFirstPage(query) && entries === apps) complete.set(version, glasses, json)
      return sendJson(reply, json)
    },
  })
}

const isFirstPage = ({ limit, cursor }: { readonly limit?: number; readonly cursor?: string }) =>
  limit === undefined && cursor === undefined

const keyOf = (glasses: ConnectedGlasses | null) =>
  JSON.stringify(glasses && [glasses.capabilities.modelName, glasses.version])

/** String without control characters; PostgreSQL rejects U+0000. */
const plainText = Type.String({ pattern: SINGLE_LINE_PATTERN })

/** Response with a list. */
const listResponse = <Entry extends TSchema>(entry: Entry) => dataResponse(Type.Array(entry))

/** Paths under `/api/apps`, each with the alias without `/api` that phones use. */
export const appPath = (path: string) => [`/api/apps${path}`, `/apps${path}`] as const

/** Key by which lists of apps are ordered. */
const byPackage = ({ packageName }: { readonly packageName: string }) => packageName
