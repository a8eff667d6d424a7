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
