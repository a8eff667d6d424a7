import { type Static, Type } from 'typebox'

const ratio = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }))

/**
 * Schema of `voice_settings` of `GET /api/tts`. The contract prescribes all fields except `speed`, which the app SDK
 * sends too. The ranges are those of ElevenLabs.
 */
export const voiceSettings = Type.Object(
  {
    stability: ratio('Consistency of the voice'),
    similarity_boost: ratio('Similarity to the original voice'),
    style: ratio('Exaggeration of the style'),
    use_speaker_boost: Type.Optional(Type.Boolean()),
    speed: Type.Optional(Type.Number({ minimum: 0.7, maximum: 1.2, description: '1 is normal speed' })),
  },
  { additionalProperties: false, title: 'VoiceSettings' },
)

/** Settings of a synthesized voice. */
export type VoiceSettings = Static<typeof voiceSettings>

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
