import { allowedApiKey, coreToken, eitherOf } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { type Fault, fault } from '../../http/fault.ts'
import { appParams } from '../../http/schemas.ts'
import type { StartOutcome } from '../../session/index.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { appPath, lifecycleResponse } from './schemas.ts'

/** Starts an app in the user's live session and returns once it runs (decisions C7 and C8). */
export const startApp = ({ catalogue, sessions }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: appPath('/:packageName/start'),
    summary: 'Start an app',
    tags: ['apps'],
    style: 'envelope',
    auth: eitherOf(coreToken, allowedApiKey),
    schema: { params: appParams, response: { 200: lifecycleResponse('started') } },
    errors: ['NO_SESSION', 'APP_NOT_FOUND', 'HARDWARE_INCOMPATIBLE', 'APP_START_FAILED'],
    invalid: 'APP_NOT_FOUND',
    failure: 'APP_START_FAILED',
    handler: async ({ caller: { user }, params }) => {
      const session = await sessions.find(user.id)
      if (session === undefined) throw fault('NO_SESSION')
      const app = await catalogue.find(params.packageName, user)
      if (app === undefined) throw fault('APP_NOT_FOUND')
      const outcome = await session.startApp(app)
      if (!outcome.ok) throw startFault(outcome)
      const appState = await session.appState()
      return {
        success: true as const,
        data: { status: 'started' as const, packageName: app.packageName, appState },
      }
    },
  })

function startFault({ stage, code, message, retryable }: Extract<StartOutcome, { ok: false }>): Fault {
  if (stage === 'HARDWARE_CHECK') return fault('HARDWARE_INCOMPATIBLE', { message })
  return fault('APP_START_FAILED', { extra: { error: { stage, code, retryable } }, cause: message })
}
