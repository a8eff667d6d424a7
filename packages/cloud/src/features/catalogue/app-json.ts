import { appDetails, appItem, type Permission, publicApp } from '@glasses-cloud/contract'
import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { LruCache } from '../../db/index.ts'
import { serializerCompiler } from '../../http/server.ts'
import type { App } from './app.ts'
import type { CatalogueEntry, CheckedCompatibility, JsonView } from './catalogue-entry.ts'
import { type AppStatus, toAppItem, toDetails, toPublicApp } from './views.ts'

/** State of an app for the user of a list. */
export interface UserState {
  readonly isRunning: boolean
  /** Epoch ms; null if the app never ran. */
  readonly lastActiveAt: number | null
  readonly compatibility: CheckedCompatibility
  /** Whether the user owns the app, and therefore sees its developer. */
  readonly isOwner: boolean
  /** The permissions that the user is asked for. */
  readonly newPermissions: readonly Permission[]
}

const FIELDS_OF_USER = [
  'is_running',
  'lastActiveAt',
  'compatibility',
  'developerId',
  'newPermissions',
] as const

const publicJson = jsonView(publicApp, toPublicApp)
const itemJson = openJsonView(Type.Omit(appItem, FIELDS_OF_USER), toAppItem)
const detailsJson = openJsonView(Type.Omit(appDetails, ['isOnline', 'uninstallable']), toDetails)

/** A list entry as JSON text, in chunks to be concatenated. The chunk that depends on the app alone is built once. */
type EntryJson = readonly Buffer[]

/** JSON texts of list entries. */
export const appJson = {
  /** An entry of `GET /api/apps/public`. */
  public: (entry: CatalogueEntry): EntryJson => [entry.json(publicJson)],

  /** An entry of `GET /api/apps/search` and `GET /api/apps/available`. */
  details: (entry: CatalogueEntry, status: AppStatus): EntryJson => [
    entry.json(detailsJson),
    statusJson(status),
    END,
  ],

  /** An entry of `GET /api/apps`. */
  item(entry: CatalogueEntry, state: UserState): EntryJson {
    const { isRunning, lastActiveAt, isOwner, compatibility, newPermissions } = state
    const { developerId } = entry.app
    let fields = `,"is_running":${isRunning}`
    if (lastActiveAt !== null) fields += `,"lastActiveAt":"${new Date(lastActiveAt).toISOString()}"`
    if (isOwner && developerId !== null) fields += `,"developerId":${JSON.stringify(developerId)}`
    fields += newPermissionsField(newPermissions)
    if (fields === NOT_RUNNING_TEXT) return [notRunningItem(entry, compatibility)]
    return [entry.json(itemJson), Buffer.from(fields), COMPATIBILITY, compatibility.json, END]
  },

  /** An entry of `GET /api/apps/installed`; `installedAt` is epoch ms. */
  installed(
    entry: CatalogueEntry,
    installedAt: number,
    status: AppStatus,
    { compatibility, newPermissions }: Pick<UserState, 'compatibility' | 'newPermissions'>,
  ): EntryJson {
    const date = `,"installedDate":"${new Date(installedAt).toISOString()}"`
    const installedDate = Buffer.from(date + newPermissionsField(newPermissions))
    const details = entry.json(detailsJson)
    return [details, statusJson(status), installedDate, COMPATIBILITY, compatibility.json, END]
  },
}

function newPermissionsField(newPermissions: readonly Permission[]): string {
  return newPermissions.length === 0 ? '' : `,"newPermissions":${JSON.stringify(newPermissions)}`
}

const NOT_RUNNING_TEXT = ',"is_running":false'
const NOT_RUNNING = Buffer.from(NOT_RUNNING_TEXT)
/** Entries of `GET /api/apps` without fields of the user; each compatibility belongs to one entry. */
const notRunningItems = new WeakMap<CheckedCompatibility, Buffer>()

function notRunningItem(entry: CatalogueEntry, compatibility: CheckedCompatibility): Buffer {
  let item = notRunningItems.get(compatibility)
  if (item === undefined) {
    item = Buffer.concat([entry.json(itemJson), NOT_RUNNING, COMPATIBILITY, compatibility.json, END])
    notRunningItems.set(compatibility, item)
  }
  return item
}

const COMPATIBILITY = Buffer.from(',"compatibility":')
const COMMA = Buffer.from(',')
const END = Buffer.from('}')
const LIST_START = Buffer.from('{"success":true,"data":[')
const LIST_END = Buffer.from(']}')

function statusJson({ isOnline, uninstallable }: AppStatus): Buffer {
  return Buffer.from(`,"uninstallable":${uninstallable},"isOnline":${isOnline}`)
}

/** Lists that are kept: those that users get who never started an app, for the models of glasses that are used most. */
const MAX_LISTS = 32

/** The latest lists of entries without fields of a user, by their first entry. */
const latestLists = new LruCache<{ readonly chunks: readonly Buffer[]; readonly json: Buffer }, Buffer>(
  MAX_LISTS,
)

/** Builds the response with a list of serialized entries: `{ success: true, data: [...] }`. */
export function listJson(entries: readonly EntryJson[]): Buffer {
  const chunks: Buffer[] = [LIST_START]
  for (const entry of entries) {
    if (chunks.length > 1) chunks.push(COMMA)
    for (const chunk of entry) chunks.push(chunk)
  }
  chunks.push(LIST_END)
  const [first] = entries[0] ?? []
  const latest = first && latestLists.get(first)
  if (
    latest?.chunks.length === chunks.length &&
    chunks.every((chunk, index) => chunk === latest.chunks[index])
  )
    return latest.json
  const json = Buffer.concat(chunks)
  if (first && entries.every(({ length }) => length === 1)) latestLists.set(first, { chunks, json })
  return json
}

/** Sends JSON text. */
export function sendJson(reply: FastifyReply, json: Buffer): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}

/** Sends a list of serialized entries: `{ success: true, data: [...] }`. */
export function sendList(reply: FastifyReply, entries: readonly EntryJson[]): FastifyReply {
  return sendJson(reply, listJson(entries))
}

function jsonView<View>(schema: TSchema, view: (app: App) => View): JsonView {
  const serialize = serializerCompiler({ schema })
  return (app) => serialize(view(app))
}

/** Like `jsonView`, without the closing brace: further fields follow. */
function openJsonView<View>(schema: TSchema, view: (app: App) => View): JsonView {
  const serialize = jsonView(schema, view)
  return (app) => serialize(app).slice(0, -1)
}
