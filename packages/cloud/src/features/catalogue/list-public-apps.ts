import { type ConnectedGlasses, publicApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { LruCache } from '../../db/index.ts'
import { optionalCoreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { appJson, listJson, sendJson } from './app-json.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { readLiveState } from './live-state.ts'
import { appPath, byPackage, listResponse } from './schemas.ts'

/** Returns the published apps that the connected glasses can run (decision C3). */
export const listPublicApps = ({ sessions, lists }: CatalogueEndpointDeps) => {
  const complete = new CompleteLists()
  return endpoint({
    method: 'GET',
    url: appPath('/public'),
    summary: 'List the published apps',
    tags: ['apps'],
    style: 'envelope',
    auth: optionalCoreToken,
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

const keyOf = (glasses: ConnectedGlasses | null) =>
  JSON.stringify(glasses && [glasses.capabilities.modelName, glasses.version])
