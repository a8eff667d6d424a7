import { addOutputBody, addOutputResponse } from '@glasses-cloud/contract'
import { appKeyHeaders } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { parseOutputUrl } from '../../session/index.ts'
import type { StreamEndpointDeps } from './deps.ts'
import { outputsPath, streamPath, tags } from './schemas.ts'
import { streamSession, withNotice } from './stream-session.ts'

/** Adds an output to a managed stream that the app views (decision M4). */
export const addOutput = ({ streams, sessions }: StreamEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: outputsPath,
    summary: 'Add an output to a managed stream',
    tags,
    style: 'coded',
    auth: appKeyHeaders,
    namedUser: { in: 'params', field: 'streamId', as: 'stream' },
    schema: { params: streamPath, body: addOutputBody, response: { 200: addOutputResponse } },
    errors: [
      'INVALID_URL',
      'BAD_REQUEST',
      'STREAM_NOT_FOUND',
      'NOT_A_VIEWER',
      'MAX_OUTPUTS_REACHED',
      'MAX_APP_OUTPUTS_REACHED',
      'DUPLICATE_URL',
      'STREAMING_PROVIDER_ERROR',
      'INTERNAL_ERROR',
    ],
    invalid: ({ part, field }) => (part === 'body' && field !== 'name' ? 'INVALID_URL' : 'BAD_REQUEST'),
    failure: 'INTERNAL_ERROR',
    handler: async ({ caller: { app }, params: { streamId }, body }) => {
      if (parseOutputUrl(body.url) === undefined) throw fault('INVALID_URL')
      const session = await streamSession({ streams, sessions }, streamId)
      const outcome = await session.addOutput(streamId, app.packageName, body)
      if (!outcome.ok) throw fault(outcome.code)
      const { outputId } = outcome
      return { success: true as const, outputId, message: withNotice(streams, 'Output added successfully') }
    },
  })
