import { SINGLE_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'

export const outputsPath = '/api/streams/:streamId/outputs'

export const tags = ['streams']

const streamId = Type.String({ pattern: SINGLE_LINE_PATTERN, description: 'The managed stream' })

export const streamPath = Type.Object({ streamId })

export const outputPath = Type.Object({
  streamId,
  outputId: Type.String({ pattern: SINGLE_LINE_PATTERN }),
})
