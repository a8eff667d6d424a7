import { removeOutputResponse } from '@glasses-cloud/contract'
import { appKeyHeaders } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { StreamEndpointDeps } from './deps.ts'
import { outputPath, outputsPath, tags } from './schemas.ts'
import { streamSession, withNotice } from './stream-session.ts'

/**
 * Removes an output that the app added. If the provider fails to remove it, the output remains (decision M4).
 */
export const removeOutput = ({ streams, sessions }: StreamEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: `${outputsPath}/:outputId`,
    summary: 'Remove an output from a managed stream',
    tags,
    style: 'coded',
    auth: appKeyHeaders,
    namedUser: { in: 'params', field: 'streamId', as: 'stream' },
    schema: { params: outputPath, response: { 200: removeOutputResponse } },
    errors: [
      'STREAM_NOT_FOUND',
      'OUTPUT_NOT_FOUND',
      'NOT_AUTHORIZED',
      'STREAMING_PROVIDER_ERROR',
      'INTERNAL_ERROR',
    ],
    failure: 'INTERNAL_ERROR',
    handler: async ({ caller: { app }, params: { streamId, outputId } }) => {
      const session = await streamSession({ streams, sessions }, streamId)
      const outcome = await session.removeOutput(streamId, app.packageName, outputId)
      if (!outcome.ok) throw fault(outcome.code)
      return { success: true as const, message: withNotice(streams, 'Output removed successfully') }
    },
  })
