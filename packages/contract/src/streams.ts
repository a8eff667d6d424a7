import { type Static, Type } from 'typebox'
import { SHORT_LINE_PATTERN } from './size-limits.ts'

/** Maximum number of restream outputs of a stream, and of an app across all streams. */
export const MAX_OUTPUTS = { perStream: 10, perApp: 10 } as const

/** In characters. */
export const MAX_OUTPUT_URL_LENGTH = 2_048

/** Statuses of a restream output. */
export const OUTPUT_STATUSES = ['active', 'connecting', 'error', 'unknown'] as const

/** Schema of the status of a restream output. */
export const outputStatus = Type.Enum(OUTPUT_STATUSES, {
  description:
    'connecting: the target has not responded yet; unknown: the streaming provider does not report it',
})

/** One of {@link OUTPUT_STATUSES}. */
export type OutputStatus = Static<typeof outputStatus>

/** Schema of a restream output. */
export const restreamOutput = Type.Object(
  {
    outputId: Type.String(),
    url: Type.String({ description: 'Target; parts that may be a stream key are masked' }),
    name: Type.String(),
    addedBy: Type.String({ description: 'Package name of the app that added it' }),
    status: outputStatus,
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'Reason for the status error; otherwise null',
    }),
    retries: Type.Optional(
      Type.Integer({
        description: 'Attempts to connect again since it was last active, if the provider reports it',
      }),
    ),
  },
  { title: 'RestreamOutput' },
)

/** A restream output. */
export type RestreamOutput = Static<typeof restreamOutput>

/** Schema of the response of `GET /api/streams/:streamId/outputs`. */
export const listOutputsResponse = Type.Object(
  {
    streamId: Type.String(),
    outputs: Type.Array(restreamOutput, { description: 'Oldest first' }),
    total: Type.Integer(),
    maxPerStream: Type.Literal(MAX_OUTPUTS.perStream),
    maxPerApp: Type.Literal(MAX_OUTPUTS.perApp),
  },
  { title: 'RestreamOutputs' },
)

/** Schema of the body of `POST /api/streams/:streamId/outputs`. */
export const addOutputBody = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: MAX_OUTPUT_URL_LENGTH,
      description: 'rtmp:// or rtmps://, stream key included',
    }),
    name: Type.Optional(
      Type.String({ pattern: SHORT_LINE_PATTERN, description: 'Defaults to the host of the URL' }),
    ),
  },
  { title: 'NewOutput' },
)

/** A restream output to add. */
export type AddOutputBody = Static<typeof addOutputBody>

/** Schema of the response of `POST /api/streams/:streamId/outputs`. */
export const addOutputResponse = Type.Object(
  { success: Type.Literal(true), outputId: Type.String(), message: Type.String() },
  { title: 'OutputAdded' },
)

/** Schema of the response of `DELETE /api/streams/:streamId/outputs/:outputId`. */
export const removeOutputResponse = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { title: 'OutputRemoved' },
)
