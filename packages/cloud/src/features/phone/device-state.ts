import { appliedDeviceState, deviceReport } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireSession } from '../../http/require-session.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack, ackSchemaWith } from './schemas.ts'

/** Accepts the state of the glasses, complete or only the changed fields. */
export const postDeviceState = ({ sessions, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/device/state',
    summary: 'Report the state of the glasses',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: { body: deviceReport, response: { 200: ackSchemaWith({ appliedState: appliedDeviceState }) } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      const appliedState = await session.reportDevice(body)
      return { ...ack(now()), appliedState }
    },
  })
