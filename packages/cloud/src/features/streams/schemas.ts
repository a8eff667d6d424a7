import { Type } from 'typebox'

export const outputsPath = '/api/streams/:streamId/outputs'

export const tags = ['streams']

const streamId = Type.String({ description: 'The managed stream' })

export const streamPath = Type.Object({ streamId })

export const outputPath = Type.Object({ streamId, outputId: Type.String() })
