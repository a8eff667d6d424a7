import {
  acceptedPermissionList,
  appState,
  appWithScreenshots,
  permissionAcceptance,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import {
  allowedApiKey,
  coreOrStoreToken,
  eitherOf,
  none,
  optionalCoreOrStoreToken,
} from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { type Fault, fault } from '../../http/fault.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { type StartOutcome, toAppDefinition } from '../../session/index.ts'
import { appPath, type CatalogueEndpointDeps } from './list-endpoints.ts'
import { notifyAppsChanged } from './user-apps.ts'
import { toStorePage } from './views.ts'

/** Response of install and uninstall. */
const messageResponse = Type.Object({ success: Type.Literal(true), message: Type.String() })

const common = { tags: ['apps'], style: 'envelope' } as const

export const appEndpoints = ({ about, catalogue, sessions }: CatalogueEndpointDeps): Endpoint[] => [
  // Returns the details of an app; 404 for an app the caller may not see (decision C4).
  endpoint({
    ...common,
    method: 'GET',
    url: appPath('/:packageName'),
    summary: 'Details of an app',
    auth: optionalCoreOrStoreToken,
    schema: { params: appParams, response: { 200: dataResponse(appWithScreenshots) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller, params }) => {
      const user = caller.kind === 'user' ? caller.user : undefined
      const app = await catalogue.find(params.packageName, user)
      if (app === undefined) throw fault('APP_NOT_FOUND')
      const newPermissions =
        user === undefined ? [] : (await catalogue.permissionsOf(user, app)).newPermissions
      return { success: true as const, data: toStorePage(app, catalogue.statusOf(app), newPermissions) }
    },
  }),
  // Returns version, protocols and providers of the cloud (decision C12); phones request it to verify a server
  // address.
  endpoint({
    ...common,
    method: 'GET',
    url: appPath('/version'),
    summary: 'Version of the cloud',
    auth: none,
    schema: {
      response: {
        200: Type.Object({
          version: Type.String(),
          protocols: Type.Array(Type.String(), { description: 'Dialects of socket messages' }),
          providers: Type.Record(Type.String(), Type.String(), {
            description: 'Names of the configured providers by kind',
          }),
        }),
      },
    },
    errors: [],
    handler: async () => ({
      version: about.version,
      protocols: [...about.protocols],
      providers: { ...about.providers },
    }),
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: appPath('/install/:packageName'),
    summary: 'Install an app',
    auth: coreOrStoreToken,
    schema: { params: appParams, response: { 200: messageResponse } },
    errors: ['APP_NOT_FOUND', 'APP_ALREADY_INSTALLED'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params, log }) => {
      const app = await catalogue.find(params.packageName, user)
      if (app === undefined) throw fault('APP_NOT_FOUND')
      const outcome = await catalogue.install(user, app)
      if (outcome === 'unchanged') throw fault('APP_ALREADY_INSTALLED')
      await notifyAppsChanged(sessions, user, log)
      return { success: true as const, message: `App ${app.packageName} installed successfully` }
    },
  }),
  // Stops an app and uninstalls it for the user (decision C10).
  endpoint({
    ...common,
    method: 'POST',
    url: [...appPath('/uninstall/:packageName'), ...appPath('/:packageName/uninstall')],
    summary: 'Uninstall an app',
    auth: coreOrStoreToken,
    schema: { params: appParams, response: { 200: messageResponse } },
    errors: ['SYSTEM_APP_NOT_UNINSTALLABLE', 'APP_TO_UNINSTALL_NOT_FOUND', 'APP_NOT_INSTALLED'],
    invalid: 'APP_TO_UNINSTALL_NOT_FOUND',
    handler: async ({ caller: { user }, params, log }) => {
      if (catalogue.isSystemApp(params.packageName)) throw fault('SYSTEM_APP_NOT_UNINSTALLABLE')
      const app = await catalogue.find(params.packageName, user)
      if (app === undefined) throw fault('APP_TO_UNINSTALL_NOT_FOUND')
      if (!(await catalogue.hasInstalled(user, app))) throw fault('APP_NOT_INSTALLED')
      const session = await sessions.find(user.id)
      await session?.stopApp(app.packageName)
      const outcome = await catalogue.uninstall(user, app)
      if (outcome === 'unchanged') throw fault('APP_NOT_INSTALLED')
      await notifyAppsChanged(sessions, user, log)
      return { success: true as const, message: `App ${app.packageName} uninstalled successfully` }
    },
  }),
  // Starts an app in the user's live session and returns once it runs (decisions C7 and C8).
  endpoint({
    ...common,
    method: 'POST',
    url: appPath('/:packageName/start'),
    summary: 'Start an app',
    auth: eitherOf(coreOrStoreToken, allowedApiKey),
    schema: { params: appParams, response: { 200: lifecycleResponse('started') } },
    errors: ['NO_SESSION', 'APP_NOT_FOUND', 'HARDWARE_INCOMPATIBLE', 'APP_START_FAILED'],
    invalid: 'APP_NOT_FOUND',
    failure: 'APP_START_FAILED',
    handler: async ({ caller, params }) => {
      const { user } = caller
      const session = await sessions.find(user.id)
      if (session === undefined) throw fault('NO_SESSION')
      const app = await catalogue.find(params.packageName, user)
      if (app === undefined) throw fault('APP_NOT_FOUND')
      // Another app that starts this one accepts nothing for the user (PRM-23).
      if (caller.app === undefined || catalogue.isSystemApp(app.packageName))
        await catalogue.acceptFirstUse(user, app)
      const granted = await catalogue.permissionsOf(user, app)
      const outcome = await session.startApp(toAppDefinition({ ...app, ...granted }))
      if (!outcome.ok) throw startFault(outcome)
      const appState = await session.appState()
      return {
        success: true as const,
        data: { status: 'started' as const, packageName: app.packageName, appState },
      }
    },
  }),
  // Accepts permissions that the app asks for since the user installed or first started it (PRM-24).
  endpoint({
    ...common,
    style: 'coded',
    method: 'POST',
    url: appPath('/:packageName/permissions/accept'),
    summary: 'Accept new permissions of an app',
    auth: coreOrStoreToken,
    schema: {
      params: appParams,
      body: Type.Object({ permissions: acceptedPermissionList }),
      response: { 200: dataResponse(permissionAcceptance) },
    },
    errors: ['APP_NOT_FOUND', 'PERMISSION_NOT_DECLARED'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, body, log }) => {
      const app = await catalogue.find(params.packageName, user)
      if (app === undefined) throw fault('APP_NOT_FOUND')
      const { packageName } = app
      const declared = new Set<string>(app.permissions.map(({ type }) => type))
      const undeclared = body.permissions.find((type) => !declared.has(type))
      if (undeclared !== undefined)
        throw fault('PERMISSION_NOT_DECLARED', {
          message: `${packageName} does not ask for the permission ${undeclared}`,
        })
      await catalogue.acceptPermissions(user, app, body.permissions)
      // The acceptance is stored even if the session cannot be notified; it notices the change itself.
      await sessions.accessChanged(user.id).catch((err: unknown) => {
        log.error({ err, packageName }, 'catalogue: a session could not be notified of accepted permissions')
      })
      await notifyAppsChanged(sessions, user, log)
      const { permissions, newPermissions } = await catalogue.permissionsOf(user, app)
      return {
        success: true as const,
        data: { packageName, permissions: [...permissions], newPermissions: [...newPermissions] },
      }
    },
  }),
  // Stops an app in the user's live session (decisions C7 and C9).
  endpoint({
    ...common,
    method: 'POST',
    url: appPath('/:packageName/stop'),
    summary: 'Stop an app',
    auth: coreOrStoreToken,
    schema: { params: appParams, response: { 200: lifecycleResponse('stopped') } },
    errors: ['NO_SESSION', 'APP_NOT_FOUND', 'APP_STOP_FAILED'],
    invalid: 'APP_NOT_FOUND',
    failure: 'APP_STOP_FAILED',
    handler: async ({ caller: { user }, params: { packageName } }) => {
      const session = await sessions.find(user.id)
      if (session === undefined) throw fault('NO_SESSION')
      const { apps } = await session.appState()
      // A running app can be stopped even if the user may no longer see it.
      const isLive = apps.some((app) => app.packageName === packageName)
      if (!isLive && (await catalogue.find(packageName, user)) === undefined) throw fault('APP_NOT_FOUND')
      await session.stopApp(packageName)
      const appState = await session.appState()
      return { success: true as const, data: { status: 'stopped' as const, packageName, appState } }
    },
  }),
]

function startFault({ stage, code, message, retryable }: Extract<StartOutcome, { ok: false }>): Fault {
  if (stage === 'HARDWARE_CHECK') return fault('HARDWARE_INCOMPATIBLE', { message })
  return fault('APP_START_FAILED', { extra: { error: { stage, code, retryable } }, cause: message })
}

/** Response of start and stop. */
const lifecycleResponse = <const Status extends string>(status: Status) =>
  dataResponse(Type.Object({ status: Type.Literal(status), packageName: Type.String(), appState }))
