import {
  type AdminReport,
  adminReport,
  adminSetting,
  type Finding,
  finding,
  SHORT_LINE_PATTERN,
  systemApp,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Config } from '../../config/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { dataResponse } from '../../http/schemas.ts'
import { toIsoString } from '../../time/index.ts'
import type { Audit } from '../audit/index.ts'
import { type AppStore, isKnownDown } from '../catalogue/index.ts'
import { FILE_MEDIA, fileResponse, type IncidentStore, type Incidents, sendFile } from '../incidents/index.ts'
import type { PhoneReportStore } from '../phone/index.ts'
import { common } from './schemas.ts'

export interface OperationEndpointDeps {
  readonly config: Config
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  readonly apps: AppStore
  readonly audit: Audit
  readonly reports: PhoneReportStore
  readonly incidents: IncidentStore
  readonly incidentFiles: Pick<Incidents, 'openForAdministrator'>
  /** Checks every configured part. */
  readonly checks: () => Promise<Finding[]>
  /** Epoch ms. */
  readonly now: () => number
}

const DEFAULT_LIMIT = 50

const list = {
  ...common,
  method: 'GET',
  schema: {
    querystring: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, description: `Default: ${DEFAULT_LIMIT}` }),
      ),
    }),
    response: { 200: dataResponse(Type.Array(adminReport)) },
  },
  errors: [],
} as const

const id = Type.String({ pattern: SHORT_LINE_PATTERN })

export const operationEndpoints = ({
  apps,
  audit,
  config,
  incidentFiles,
  incidents,
  now,
  publicUrl,
  reports,
}: OperationEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/settings',
    summary: 'Get the settings in force, without secrets',
    audited: [],
    schema: { response: { 200: dataResponse(Type.Array(adminSetting)) } },
    errors: [],
    handler: async () => {
      // The default of this setting is known only while the cloud listens.
      const data = config.settings.map((setting) =>
        setting.name === 'PUBLIC_URL' && setting.source === 'default'
          ? { ...setting, value: publicUrl().href }
          : setting,
      )
      return { success: true as const, data }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/system-apps',
    summary: 'List system apps',
    audited: [],
    schema: { response: { 200: dataResponse(Type.Array(systemApp)) } },
    errors: [],
    handler: async () => {
      const { system, requiredSystem, dashboard } = config.apps
      const names = [...new Set([...system, dashboard])]
      const registered = new Map((await apps.findByPackages(names)).map((app) => [app.packageName, app]))
      // The defaults name packages that few clouds have.
      const listed = names.filter((name) => registered.has(name) || requiredSystem.includes(name))
      const data = listed.map((packageName) => {
        const app = registered.get(packageName)
        return {
          packageName,
          isRegistered: app !== undefined,
          isDashboard: packageName === dashboard,
          ...(app && { name: app.name, publicUrl: app.publicUrl, isServerDown: isKnownDown(app, now()) }),
        }
      })
      return { success: true as const, data }
    },
  }),
  endpoint({
    ...list,
    url: '/api/admin/reports',
    summary: 'List feedback and errors that phones reported',
    audited: ['report.list'],
    handler: async ({ caller: { user: actor }, query, request }) => {
      const found = await reports.listNewest(query.limit ?? DEFAULT_LIMIT)
      const details = { reports: found.map(({ id }) => id) }
      await audit.read({ actor, request, action: 'report.list', target: '', details })
      const data = found.map(({ id, kind, sender, createdAt, content }): AdminReport => {
        return {
          id,
          kind,
          ...(sender !== null && { email: sender }),
          createdAt: toIsoString(createdAt),
          content,
        }
      })
      return { success: true as const, data }
    },
  }),
  endpoint({
    ...list,
    url: '/api/admin/incidents',
    summary: 'List incidents with their logs',
    audited: ['incident.list'],
    handler: async ({ caller: { user: actor }, query, request }) => {
      const found = await incidents.listNewest(query.limit ?? DEFAULT_LIMIT)
      const details = { incidents: found.map(({ id }) => id) }
      await audit.read({ actor, request, action: 'incident.list', target: '', details })
      const data = (await incidents.withContent(found)).map(
        ({ id, sender, userId: _, createdAt, ...content }): AdminReport => {
          return { id, kind: 'incident', email: sender, createdAt: toIsoString(createdAt), content }
        },
      )
      return { success: true as const, data }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/incidents/:incidentId/attachments/:attachmentId',
    summary: 'Get a file of an incident',
    audited: ['incident.open-file'],
    schema: {
      params: Type.Object({ incidentId: id, attachmentId: id }),
      response: { 200: fileResponse },
    },
    media: FILE_MEDIA,
    errors: ['INCIDENT_NOT_FOUND'],
    invalid: 'INCIDENT_NOT_FOUND',
    handler: async ({ caller: { user: actor }, params: { incidentId, attachmentId }, request, reply }) => {
      const file = await incidentFiles.openForAdministrator(incidentId, attachmentId)
      if (file === undefined) throw fault('INCIDENT_NOT_FOUND')
      const details = { file: attachmentId }
      try {
        await audit.read({ actor, request, action: 'incident.open-file', target: incidentId, details })
      } catch (error) {
        file.stream.destroy()
        throw error
      }
      return sendFile(reply, file)
    },
  }),
]

/** Checks every configured part of the cloud. Simultaneous requests share one run. */
export const listChecks = ({ checks }: OperationEndpointDeps) => {
  let running: Promise<Finding[]> | undefined
  return endpoint({
    method: 'GET',
    url: '/api/admin/checks',
    summary: 'Check every configured part, as the command doctor does',
    audited: [],
    ...common,
    schema: { response: { 200: dataResponse(Type.Array(finding)) } },
    errors: [],
    handler: async () => {
      running ??= checks().finally(() => {
        running = undefined
      })
      return { success: true as const, data: await running }
    },
  })
}
