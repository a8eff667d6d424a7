import { listOutputsResponse, MAX_OUTPUTS } from '@glasses-cloud/contract'
import { appKeyHeaders } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { StreamEndpointDeps } from './deps.ts'
import { outputsPath, streamPath, tags } from './schemas.ts'
import { streamSession } from './stream-session.ts'

/** Returns the outputs of a managed stream that the app views; stream keys are masked (decision M4). */
export const listOutputs = ({ streams, sessions }: StreamEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: outputsPath,
    summary: 'List the outputs of a managed stream',
    tags,
    style: 'coded',
    auth: appKeyHeaders,
    namedUser: { in: 'params', field: 'streamId', as: 'stream' },
    schema: { params: streamPath, response: { 200: listOutputsResponse } },
    errors: ['STREAM_NOT_FOUND', 'NOT_A_VIEWER', 'INTERNAL_ERROR'],
    failure: 'INTERNAL_ERROR',
    handler: async ({ caller: { app }, params: { streamId } }) => {
      const session = await streamSession({ streams, sessions }, streamId)
      const outcome = await session.outputs(streamId, app.packageName)
      if (!outcome.ok) throw fault(outcome.code)
      const { outputs } = outcome
      return {
        streamId,
        outputs: [...outputs],
        total: outputs.length,
        maxPerStream: MAX_OUTPUTS.perStream,
        maxPerApp: MAX_OUTPUTS.perApp,
      }
    },
  })
