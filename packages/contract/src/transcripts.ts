import { type Static, Type } from 'typebox'

/** Schema of a transcript segment. */
export const transcriptSegment = Type.Object(
  {
    speakerId: Type.Optional(
      Type.String({ description: 'Absent if the provider does not distinguish speakers' }),
    ),
    resultId: Type.String({ description: 'Unique per segment' }),
    text: Type.String(),
    timestamp: Type.String({ format: 'date-time', description: 'Creation time' }),
    isFinal: Type.Boolean({
      description: 'False for interim segments, which are the last ones, one for each speaker',
    }),
  },
  { title: 'TranscriptSegment' },
)

/** Schema of the response of `GET /api/transcripts/:appSessionId`. */
export const transcriptHistory = Type.Object(
  {
    language: Type.String({ description: 'The requested language' }),
    segments: Type.Array(transcriptSegment, { description: 'Oldest first' }),
  },
  { title: 'TranscriptHistory' },
)

/** The response of `GET /api/transcripts/:appSessionId`. */
export type TranscriptHistory = Static<typeof transcriptHistory>
