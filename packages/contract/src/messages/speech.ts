import { Type } from 'typebox'
import { defineCloudMessage } from './define-message.ts'

/** Fields of `transcription_status`, to apps and to phones. */
export const transcriptionStatusFields = {
  status: Type.Enum(['available', 'unavailable']),
  stream: Type.String({ description: 'The affected stream, such as transcription:en-US' }),
  language: Type.String({ description: 'A language tag, or auto' }),
  reason: Type.Optional(
    Type.Enum([
      'provider_unavailable',
      'key_rejected',
      'quota_exceeded',
      'unsupported_language',
      'too_many_streams',
      'no_translation_provider',
      'phone_not_transcribing',
    ]),
  ),
  message: Type.Optional(Type.String({ description: 'A sentence for developers' })),
}

/** Messages about speech recognition to phones. */
export const speechToGlasses = {
  transcription_status: defineCloudMessage(
    'transcription_status',
    'Whether the speech of the user is recognized or translated.',
    transcriptionStatusFields,
  ),
} as const
