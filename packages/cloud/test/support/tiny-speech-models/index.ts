/** Speech models of a few kilobytes with hand-set weights, which turn tones into words, for tests with the real library. */
import { join } from 'node:path'
import { offlineCtc } from './offline-ctc.ts'
import { streamingTransducer } from './streaming-transducer.ts'
import { ENGLISH, GERMAN } from './vocabulary.ts'
import { type ModelDescription, type ModelFile, type WrittenModel, writeModel } from './write-model.ts'

export { type ToneSpeech, type ToneSpeechOptions, toneSpeech, toSamples } from './tone-speech.ts'
export { ENGLISH, GERMAN, type ToneLanguage, type ToneWord } from './vocabulary.ts'
export type { WrittenModel } from './write-model.ts'

interface TinyModel {
  readonly description: ModelDescription
  readonly files: () => readonly ModelFile[]
}

const MODELS = {
  streamingEnglish: {
    description: {
      id: 'tiny-streaming-en',
      name: 'Tiny streaming English',
      kind: 'streaming-recognizer',
      architecture: 'transducer',
      languages: ['en'],
      detectsLanguage: false,
    },
    files: () => streamingTransducer(ENGLISH),
  },
  streamingGerman: {
    description: {
      id: 'tiny-streaming-de',
      name: 'Tiny streaming German',
      kind: 'streaming-recognizer',
      architecture: 'transducer',
      languages: ['de'],
      detectsLanguage: false,
    },
    files: () => streamingTransducer(GERMAN),
  },
  offlineEnglish: {
    description: {
      id: 'tiny-offline-en',
      name: 'Tiny offline English',
      kind: 'recognizer',
      architecture: 'zipformer-ctc',
      languages: ['en'],
      detectsLanguage: false,
    },
    files: () => offlineCtc(ENGLISH),
  },
} as const satisfies Readonly<Record<string, TinyModel>>

export type TinyModelName = keyof typeof MODELS

/** The names of all tiny models. */
export const TINY_MODELS = Object.keys(MODELS) as readonly TinyModelName[]

/** A model that was written, and its folder. */
export interface TinyModelFolder {
  readonly folder: string
  readonly model: WrittenModel
}

/** Writes a tiny model to `<parent>/<id>`, with the `model.json` of an installed model. */
export async function writeTinyModel(name: TinyModelName, parent: string): Promise<TinyModelFolder> {
  const { description, files } = MODELS[name]
  const folder = join(parent, description.id)
  return { folder, model: await writeModel(folder, description, files()) }
}
