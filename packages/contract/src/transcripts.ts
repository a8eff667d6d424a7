import { type Static, Type } from 'typebox'

/** Schema of a piece of what was said (interface specification, "Transcript segment"). */
export const transcriptSegment = Type.Object(
  {
    speakerId: Type.Optional(
      Type.String({ description: 'Absent where the recogniser does not tell voices apart' }),
    ),
    resultId: Type.String({ description: 'Unique per segment' }),
    text: Type.String(),
    timestamp: Type.String({ format: 'date-time', description: 'When the segment was made' }),
    isFinal: Type.Boolean({ description: 'False for the interim result at the end' }),
  },
  { title: 'TranscriptSegment' },
)

/** Schema of the answer of `GET /api/transcripts/:appSessionId`. */
export const transcriptHistory = Type.Object(
  {
    language: Type.String({ description: 'The language asked for' }),
    segments: Type.Array(transcriptSegment, { description: 'Oldest first' }),
  },
  { title: 'TranscriptHistory' },
)

/** The answer of `GET /api/transcripts/:appSessionId`. */
export type TranscriptHistory = Static<typeof transcriptHistory>
