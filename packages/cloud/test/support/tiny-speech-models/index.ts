/** Speech models of a few kilobytes with hand-set weights, which turn tones into words, for tests with the real library. */
import { join } from 'node:path'
import { offlineCtc } from './mel.ts'
import { offlinePunctuation, onlinePunctuation } from './punctuation.ts'
import { senseVoice } from './sense-voice.ts'
import { speakerEmbedding } from './speaker.ts'
import { streamingTransducer } from './streaming-transducer.ts'
import { ENGLISH, ENGLISH_PAIR, GERMAN, JAPANESE_PAIR } from './vocabulary.ts'
import { voice } from './voice.ts'
import { type ModelDescription, type ModelFile, type WrittenModel, writeModel } from './write-model.ts'

export { OVERTONES } from './speaker.ts'
export { type ToneSpeech, type ToneSpeechOptions, toneSpeech, toSamples } from './tone-speech.ts'
export {
  ENGLISH,
  ENGLISH_PAIR,
  GERMAN,
  JAPANESE_PAIR,
  keywordLine,
} from './vocabulary.ts'
export { CHARACTER_MS, toneOfCharacter, VOICE_SAMPLE_RATE } from './voice.ts'
export type { WrittenModel } from './write-model.ts'

interface TinyModel extends Omit<ModelDescription, 'name' | 'detectsLanguage'> {
  readonly detectsLanguage?: boolean
  readonly files: () => readonly ModelFile[]
}

const MODELS = {
  streamingEnglish: {
    id: 'tiny-streaming-en',
    kind: 'streaming-recognizer',
    architecture: 'transducer',
    languages: ['en'],
    files: () => streamingTransducer(ENGLISH),
  },
  /** With chunks of 1.28 s, as those of larger models. */
  streamingEnglishSlow: {
    id: 'tiny-streaming-en-slow',
    kind: 'streaming-recognizer',
    architecture: 'transducer',
    languages: ['en'],
    files: () => streamingTransducer(ENGLISH, 128),
  },
  streamingGerman: {
    id: 'tiny-streaming-de',
    kind: 'streaming-recognizer',
    architecture: 'transducer',
    languages: ['de'],
    files: () => streamingTransducer(GERMAN),
  },
  offlineEnglish: {
    id: 'tiny-offline-en',
    kind: 'recognizer',
    architecture: 'zipformer-ctc',
    languages: ['en'],
    files: () => offlineCtc(ENGLISH),
  },
  offlineEnglishJapanese: {
    id: 'tiny-offline-en-ja',
    kind: 'recognizer',
    architecture: 'sense-voice',
    languages: ['en', 'ja'],
    detectsLanguage: true,
    files: () => senseVoice([ENGLISH_PAIR, JAPANESE_PAIR]),
  },
  voice: {
    id: 'tiny-voice-en',
    kind: 'voice',
    architecture: 'vits',
    languages: ['en'],
    files: voice,
  },
  keywordSpotter: {
    id: 'tiny-keywords-en',
    kind: 'keyword-spotter',
    architecture: 'transducer',
    languages: ['en'],
    files: () => streamingTransducer(ENGLISH),
  },
  keywordSpotterSlow: {
    id: 'tiny-keywords-en-slow',
    kind: 'keyword-spotter',
    architecture: 'transducer',
    languages: ['en'],
    files: () => streamingTransducer(ENGLISH, 128),
  },
  speaker: {
    id: 'tiny-speaker',
    kind: 'speaker',
    architecture: 'embedding',
    languages: ['en'],
    files: speakerEmbedding,
  },
  offlinePunctuation: {
    id: 'tiny-punctuation-offline',
    kind: 'punctuation',
    architecture: 'ct-transformer',
    languages: ['en'],
    files: () => offlinePunctuation(ENGLISH),
  },
  onlinePunctuation: {
    id: 'tiny-punctuation-online',
    kind: 'punctuation',
    architecture: 'cnn-bilstm',
    languages: ['en'],
    files: () => onlinePunctuation(ENGLISH),
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
  const { files, ...description }: TinyModel = MODELS[name]
  const folder = join(parent, description.id)
  const model = { detectsLanguage: false, name: `Tiny model ${description.id}`, ...description }
  return { folder, model: await writeModel(folder, model, files()) }
}
