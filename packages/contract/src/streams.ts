import { type Static, Type } from 'typebox'

/** How many restream outputs there may be (interface specification, "Limits"). */
export const MAX_OUTPUTS = { perStream: 10, perApp: 10 } as const

/** Longest address of a restream output, in characters. */
export const MAX_OUTPUT_URL_LENGTH = 2_048

/** The form of a restream output's name: 1 to 100 characters, none of them a control character. */
export const OUTPUT_NAME_PATTERN = '^[^\\x00-\\x1f\\x7f]{1,100}$'

/** Every status of a restream output (interface specification, "Output status"). */
export const OUTPUT_STATUSES = ['active', 'connecting', 'error', 'unknown'] as const

/** Schema of the status of a restream output. */
export const outputStatus = Type.Enum(OUTPUT_STATUSES, {
  description: 'connecting until the target answered; unknown where the streaming provider does not say',
})

/** One of {@link OUTPUT_STATUSES}. */
export type OutputStatus = Static<typeof outputStatus>

/** Schema of a restream output (interface specification, "Restream output"). */
export const restreamOutput = Type.Object(
  {
    outputId: Type.String(),
    url: Type.String({ description: 'Where it goes; everything that may be a stream key is masked' }),
    name: Type.String(),
    addedBy: Type.String({ description: 'Package name of the app that added it' }),
    status: outputStatus,
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it is in error, if it is' }),
  },
  { title: 'RestreamOutput' },
)

/** A restream output. */
export type RestreamOutput = Static<typeof restreamOutput>

/** Schema of the answer of `GET /api/streams/:streamId/outputs`. */
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
      Type.String({ pattern: OUTPUT_NAME_PATTERN, description: 'The host of the address if absent' }),
    ),
  },
  { title: 'NewOutput' },
)

/** What an app wants as an output. */
export type AddOutputBody = Static<typeof addOutputBody>

/** Schema of the answer to an output that was added. */
export const addOutputResponse = Type.Object(
  { success: Type.Literal(true), outputId: Type.String(), message: Type.String() },
  { title: 'OutputAdded' },
)

/** Schema of the answer to an output that was removed. */
export const removeOutputResponse = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { title: 'OutputRemoved' },
)
