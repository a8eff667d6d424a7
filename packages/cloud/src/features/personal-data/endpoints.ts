import {
  type DataExport,
  dataExport,
  deletionRequest,
  type ErrorCode,
  exportRequest,
  exportRequestResponse,
} from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { bearerToken, coreToken, type UserCaller } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault, rejectLastAdministrator } from '../../http/fault.ts'
import { normalizeEmail, type User } from '../../identity/index.ts'
import type { BrowserLogins } from '../auth/index.ts'
import type { Deletions } from './deletion/deletions.ts'
import type { StoredExport } from './exports/export-store.ts'
import type { Exports } from './exports/exports.ts'

export interface PersonalDataEndpointDeps {
  readonly browserLogins: Pick<BrowserLogins, 'isRecent' | 'loginOf' | 'requireRecent'>
  readonly deletions: Deletions
  readonly exports: Exports
}

const tags = ['account']

export const personalDataEndpoints = (deps: PersonalDataEndpointDeps): Endpoint[] => [
  requestExport(deps),
  listExports(deps),
  getExportStatus(deps),
  downloadExport(deps),
  getDeletion(deps),
  requestDeletion(deps),
]

/** Requests an export of everything stored about the user (decisions A3 and A4). */
const requestExport = ({ exports }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/account/request-export',
    summary: 'Request a data export',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { body: exportRequest, response: { 200: exportRequestResponse } },
    errors: ['TOO_MANY_EXPORTS', 'INSUFFICIENT_STORAGE'],
    handler: async ({ caller, body, reply }) => {
      const created = await exports.request(caller.user.id, body.format ?? 'json')
      if (created === undefined) {
        void reply.header('retry-after', Math.ceil((await exports.retryAfterMs(caller.user.id)) / 1000))
        throw fault('TOO_MANY_EXPORTS')
      }
      const { id, status } = created
      return { id, status, message: 'The export is in progress; it can be downloaded once it is completed' }
    },
  })

/** Lists the data exports of the user that can still be downloaded or are in progress. */
const listExports = ({ exports }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/account/exports',
    summary: 'List your data exports, the newest first',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: Type.Object({ exports: Type.Array(dataExport) }) } },
    errors: [],
    handler: async ({ caller }) => ({
      exports: (await exports.list(caller.user.id)).map(toDataExport),
    }),
  })

/** Returns the status of one of the user's data exports. */
const getExportStatus = ({ exports }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/account/export-status',
    summary: 'Get the status of a data export',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: {
      querystring: Type.Object({ id: Type.String({ minLength: 1 }) }),
      response: { 200: dataExport },
    },
    errors: ['EXPORT_ID_REQUIRED', 'EXPORT_NOT_OWNED', 'EXPORT_REQUEST_NOT_FOUND'],
    invalid: 'EXPORT_ID_REQUIRED',
    handler: async ({ caller, query }) =>
      toDataExport(await findOwnExport(exports, query.id, caller.user, 'EXPORT_REQUEST_NOT_FOUND')),
  })

/** Returns the file of a completed export as an attachment (decision A4). */
const downloadExport = ({ exports }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/account/download-export/:id',
    summary: 'Download a data export',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: {
      params: Type.Object({ id: Type.String() }),
      response: { 200: Type.String({ format: 'binary', description: 'JSON or CSV, as requested' }) },
    },
    media: { contentTypes: ['application/json', 'text/csv'] },
    errors: ['EXPORT_NOT_READY', 'EXPORT_NOT_OWNED', 'EXPORT_NOT_FOUND', 'EXPORT_FILE_NOT_FOUND'],
    handler: async ({ caller, params, reply }) => {
      const found = await findOwnExport(exports, params.id, caller.user, 'EXPORT_NOT_FOUND')
      const { id, format, status } = found
      if (status !== 'completed') throw fault('EXPORT_NOT_READY')
      const file = await exports.open(found)
      if (file === undefined) throw fault('EXPORT_FILE_NOT_FOUND')
      return reply
        .headers({
          'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
          'content-length': file.size,
          'content-disposition': `attachment; filename="${id}.${format}"`,
        })
        .send(file.stream)
    },
  })

/** Returns what stands in the way of deleting the account. */
const getDeletion = ({ browserLogins, deletions }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/account/deletion',
    summary: 'Get what a deletion of the account requires first',
    tags,
    style: 'coded',
    auth: coreToken,
    schema: {
      response: {
        200: Type.Object(
          {
            isLastAdministrator: Type.Boolean({
              description: 'The account cannot be deleted before another user is an administrator',
            }),
            isSignInRecent: Type.Boolean({
              description: 'Whether you signed in within the last hour, as browsers have to',
            }),
          },
          { title: 'DeletionRequirements' },
        ),
      },
    },
    errors: [],
    handler: async ({ caller }) => ({
      isLastAdministrator: await deletions.isLastAdministrator(caller.user.id),
      isSignInRecent: await browserLogins.isRecent(caller, { acceptsDevices: true }),
    }),
  })

/**
 * Deletes the account and returns once everything is deleted (decision A5). The reason is not stored. In a browser, whose
 * session others may use, and on a device, which such a session may have approved, it requires a recent sign-in and the
 * address.
 */
const requestDeletion = ({ browserLogins, deletions }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/account/request-deletion',
    summary: 'Delete the account',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: {
      body: deletionRequest,
      response: { 200: Type.Object({ success: Type.Literal(true), message: Type.String() }) },
    },
    errors: [
      'ACCOUNT_NOT_DELETED',
      'LAST_ADMINISTRATOR',
      'DELETION_NOT_CONFIRMED',
      'RECENT_SIGN_IN_REQUIRED',
    ],
    failure: 'ACCOUNT_NOT_DELETED',
    handler: async ({ caller, body, request }) => {
      const { user } = caller
      if (await needsConfirmation(browserLogins, caller, request)) {
        if (normalizeEmail(body.email ?? '') !== user.email) throw fault('DELETION_NOT_CONFIRMED')
        await browserLogins.requireRecent(caller, { acceptsDevices: true })
      }
      await deletions.delete(user).catch(rejectLastAdministrator)
      return { success: true as const, message: 'The account and all its data were deleted' }
    },
  })

/** Whether a request has the session of a browser, in its cookie or as a token, or that of a device. */
async function needsConfirmation(
  browserLogins: PersonalDataEndpointDeps['browserLogins'],
  caller: UserCaller,
  { headers }: FastifyRequest,
): Promise<boolean> {
  if (bearerToken(headers.authorization) === undefined) return true
  const login = await browserLogins.loginOf(caller)
  return login?.isBrowser === true || login?.isDevice === true
}

/**
 * Returns an export of the caller.
 * @param missing code of the fault for an export that does not exist or has expired
 * @throws Fault `missing`, or `EXPORT_NOT_OWNED` for an export of another user
 */
async function findOwnExport(
  exports: Exports,
  id: string,
  caller: User,
  missing: ErrorCode,
): Promise<StoredExport> {
  // PostgreSQL rejects strings with U+0000, so malformed ids never reach the database.
  const found = /^export_[\w-]{1,100}$/.test(id) ? await exports.find(id) : undefined
  if (found === undefined) throw fault(missing)
  if (found.userId !== caller.id) throw fault('EXPORT_NOT_OWNED')
  return found
}

/** Returns a data export as the REST API shows it. */
function toDataExport({ id, status, format, createdAt, endedAt }: StoredExport): DataExport {
  const common = { id, status, format, createdAt: new Date(createdAt).toISOString() }
  if (status !== 'completed' || endedAt === null) return common
  return {
    ...common,
    completedAt: new Date(endedAt).toISOString(),
    downloadUrl: `/api/account/download-export/${id}`,
  }
}
