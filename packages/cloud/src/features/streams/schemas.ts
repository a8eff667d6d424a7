import { Type } from 'typebox'

/** Path of the outputs of a stream. */
export const outputsPath = '/api/streams/:streamId/outputs'

export const tags = ['streams']

const streamId = Type.String({ description: 'The managed stream' })

/** Parameters of a path that names a stream. */
export const streamPath = Type.Object({ streamId })

/** Parameters of a path that names an output of a stream. */
export const outputPath = Type.Object({ streamId, outputId: Type.String() })
