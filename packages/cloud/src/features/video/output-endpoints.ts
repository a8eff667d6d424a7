import {
  addOutputBody,
  addOutputResponse,
  listOutputsResponse,
  MAX_OUTPUTS,
  removeOutputResponse,
  SINGLE_LINE_PATTERN,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { appKeyHeaders } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { parseOutputUrl } from '../../session/index.ts'
import type { SessionDirectory, SessionHandle } from '../../session-host/index.ts'
import type { LiveStreams } from './live-streams.ts'

export interface OutputEndpointDeps {
  readonly sessions: SessionDirectory
  readonly streams: LiveStreams
}

export const outputEndpoints = (deps: OutputEndpointDeps): Endpoint[] => [
  addOutput(deps),
  removeOutput(deps),
  listOutputs(deps),
]

const outputsPath = '/api/streams/:streamId/outputs'

const tags = ['streams']

const streamId = Type.String({ pattern: SINGLE_LINE_PATTERN, description: 'The managed stream' })

const streamPath = Type.Object({ streamId })

const outputPath = Type.Object({
  streamId,
  outputId: Type.String({ pattern: SINGLE_LINE_PATTERN }),
})

/** Adds an output to a managed stream that the app views (decision M4). */
const addOutput = ({ streams, sessions }: OutputEndpointDeps) =>
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
      if (!outcome.ok) throw fault(outcome.code, outcome)
      const { outputId } = outcome
      return { success: true as const, outputId, message: withNotice(streams, 'Output added successfully') }
    },
  })

/**
 * Removes an output that the app added. If the provider fails to remove it, the output remains (decision M4).
 */
const removeOutput = ({ streams, sessions }: OutputEndpointDeps) =>
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

/** Returns the outputs of a managed stream that the app views; stream keys are masked (decision M4). */
const listOutputs = ({ streams, sessions }: OutputEndpointDeps) =>
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

/** Returns the session of a managed stream. @throws Fault `STREAM_NOT_FOUND` */
async function streamSession(
  { streams, sessions }: OutputEndpointDeps,
  streamId: string,
): Promise<SessionHandle> {
  const userId = await streams.userOf(streamId)
  const session = userId === undefined ? undefined : await sessions.find(userId)
  if (session === undefined) throw fault('STREAM_NOT_FOUND')
  return session
}

/** Appends the notice of the provider to a message. */
function withNotice(streams: LiveStreams, message: string): string {
  return streams.notice === undefined ? message : `${message} (${streams.notice})`
}
