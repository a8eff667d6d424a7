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
