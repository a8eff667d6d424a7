import { type Static, Type } from 'typebox'

const share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }))

/**
 * Schema of `voice_settings` of `GET /api/tts` (interface specification, "Text-to-speech"). `speed` is what the app
 * SDK may send besides; all ranges are those of the provider the fields come from.
 */
export const voiceSettings = Type.Object(
  {
    stability: share('How even the voice stays'),
    similarity_boost: share('How close it keeps to the original voice'),
    style: share('How much it exaggerates'),
    use_speaker_boost: Type.Optional(Type.Boolean()),
    speed: Type.Optional(Type.Number({ minimum: 0.7, maximum: 1.2, description: '1 is the usual pace' })),
  },
  { additionalProperties: false, title: 'VoiceSettings' },
)

/** How a voice is to sound. */
export type VoiceSettings = Static<typeof voiceSettings>
