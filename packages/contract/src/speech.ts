import { type Static, Type } from 'typebox'

/**
 * What a speech model does. recognizer: whole utterances. streaming-recognizer: words while they are spoken. voice: text to
 * speech. speaker: tells speakers apart.
 */
export const SPEECH_MODEL_KINDS = [
  'streaming-recognizer',
  'recognizer',
  'voice',
  'keyword-spotter',
  'punctuation',
  'speaker',
] as const

/** What a speech model does. */
export type SpeechModelKind = (typeof SPEECH_MODEL_KINDS)[number]

/** Schema of a speech model as administrators see it. */
export const adminSpeechModel = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: Type.Enum([...SPEECH_MODEL_KINDS]),
    languages: Type.Array(Type.String(), { description: 'Languages without region, such as de' }),
    detectsLanguage: Type.Boolean(),
    bytes: Type.Optional(
      Type.Integer({
        description: 'Of all files, before the installation in round numbers; absent if unknown',
      }),
    ),
    memoryBytes: Type.Integer({ description: 'Memory that a process needs with the model, roughly' }),
    license: Type.Object({ name: Type.String(), url: Type.String() }),
    source: Type.String({ description: 'Page of the publisher' }),
    checked: Type.Optional(
      Type.String({ description: 'Where the facts of the catalogue are from, and what of them was checked' }),
    ),
    isListed: Type.Boolean({ description: 'Whether it is in the catalogue' }),
    state: Type.Enum(['available', 'installing', 'failed', 'installed']),
    receivedBytes: Type.Optional(Type.Integer({ description: 'While it is installed, and after a failure' })),
    failure: Type.Optional(Type.String({ description: 'Why the installation failed, and what to do' })),
  },
  { title: 'AdminSpeechModel' },
)

/** A speech model as administrators see it. */
export type AdminSpeechModel = Static<typeof adminSpeechModel>

/** Schema of the speech models of a cloud. */
export const adminSpeechModels = Type.Object(
  {
    models: Type.Array(adminSpeechModel),
    installedLanguages: Type.Array(Type.String(), {
      description: 'Languages that installed models recognize',
    }),
    recommended: Type.Optional(
      Type.String({
        description:
          'Id of the model to install for the requested language; absent if an installed one recognizes it, or none is listed',
      }),
    ),
  },
  { title: 'AdminSpeechModels' },
)

/** The speech models of a cloud. */
export type AdminSpeechModels = Static<typeof adminSpeechModels>

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
