import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SAMPLE_RATE } from '@glasses-cloud/phone'
import type { TinyModelFolder } from './index.ts'

/** The part of `sherpa-onnx-node` that the tests of the tiny models call. */
interface Library {
  readonly OnlineRecognizer: new (config: object) => OnlineRecognizer
  readonly OfflineRecognizer: new (config: object) => OfflineRecognizer
  readonly OfflineTts: new (config: object) => Voice
  readonly KeywordSpotter: new (config: object) => KeywordSpotter
  readonly SpeakerEmbeddingExtractor: new (config: object) => SpeakerEmbeddingExtractor
  readonly OfflinePunctuation: new (config: object) => Punctuation
  readonly OnlinePunctuation: new (config: object) => Punctuation
}

/** Sound as numbers between -1 and 1. */
interface Sound {
  readonly samples: Float32Array
  readonly sampleRate: number
}

interface Stream {
  acceptWaveform(sound: Sound): void
  inputFinished(): void
}

interface OnlineRecognizer {
  createStream(): Stream
  isReady(stream: Stream): boolean
  decode(stream: Stream): void
  decodeStreams(streams: readonly Stream[]): void
  isEndpoint(stream: Stream): boolean
  reset(stream: Stream): void
  getResult(stream: Stream): Recognition
}

interface OfflineRecognizer {
  createStream(): Stream
  decode(stream: Stream): void
  getResult(stream: Stream): Recognition & { readonly lang: string }
}

interface Recognition {
  readonly text: string
  readonly tokens: readonly string[]
  /** Start of each token, in seconds from the start of the stream. */
  readonly timestamps: readonly number[]
}

interface Voice {
  readonly sampleRate: number
  /** Rejects if the text has no sound. `generate`, which waits for the sound, ends the process then. */
  generateAsync(request: {
    readonly text: string
    readonly sid: number
    readonly speed: number
  }): Promise<Sound>
}

interface KeywordSpotter {
  createStream(): Stream
  isReady(stream: Stream): boolean
  decode(stream: Stream): void
  reset(stream: Stream): void
  getResult(stream: Stream): { readonly keyword: string }
}

interface SpeakerEmbeddingExtractor {
  createStream(): Stream
  compute(stream: Stream): Float32Array
}

interface Punctuation {
  addPunct(text: string): string
}

const require = createRequire(import.meta.url)
const library = require('sherpa-onnx-node') as Library

const FEATURES = { sampleRate: SAMPLE_RATE, featureDim: 80 }
const EXECUTION = { numThreads: 1, provider: 'cpu', debug: 0 }

/** Loads a streaming transducer, which ends an utterance after 0.8 s of silence. */
export function loadStreaming(model: TinyModelFolder): OnlineRecognizer {
  return new library.OnlineRecognizer({
    featConfig: FEATURES,
    modelConfig: transducer(model),
    decodingMethod: 'greedy_search',
    enableEndpoint: 1,
    rule1MinTrailingSilence: 2.4,
    rule2MinTrailingSilence: 0.8,
    rule3MinUtteranceLength: 300,
  })
}

/** Loads an offline model of the type zipformer CTC. */
export function loadOfflineCtc(model: TinyModelFolder): OfflineRecognizer {
  return loadOffline(model, { zipformerCtc: { model: fileOf(model, 'model') } })
}

/** Loads an offline model of the type SenseVoice. Without a language it detects it. */
export function loadSenseVoice(model: TinyModelFolder, language = 'auto'): OfflineRecognizer {
  return loadOffline(model, { senseVoice: { model: fileOf(model, 'model'), language } })
}

function loadOffline(model: TinyModelFolder, config: object): OfflineRecognizer {
  return new library.OfflineRecognizer({
    featConfig: FEATURES,
    modelConfig: { ...config, tokens: fileOf(model, 'tokens'), ...EXECUTION },
  })
}

export function loadVoice(model: TinyModelFolder): Voice {
  const vits = { model: fileOf(model, 'model'), tokens: fileOf(model, 'tokens') }
  return new library.OfflineTts({ model: { vits, ...EXECUTION }, maxNumSentences: 1 })
}

/** @param keywordsFile path of a file with a `keywordLine` for each keyword */
export function loadKeywordSpotter(model: TinyModelFolder, keywordsFile: string): KeywordSpotter {
  return new library.KeywordSpotter({ featConfig: FEATURES, modelConfig: transducer(model), keywordsFile })
}

export function loadSpeaker(model: TinyModelFolder): SpeakerEmbeddingExtractor {
  return new library.SpeakerEmbeddingExtractor({ model: fileOf(model, 'model'), ...EXECUTION })
}

/** Loads a punctuation model of the type ct-transformer. */
export function loadOfflinePunctuation(model: TinyModelFolder): Punctuation {
  return new library.OfflinePunctuation({ model: { ctTransformer: fileOf(model, 'model'), ...EXECUTION } })
}

/** Loads a punctuation model of the type cnn-bilstm. */
export function loadOnlinePunctuation(model: TinyModelFolder): Punctuation {
  const files = { cnnBilstm: fileOf(model, 'model'), bpeVocab: fileOf(model, 'bpe') }
  return new library.OnlinePunctuation({ model: { ...files, ...EXECUTION } })
}

function transducer(model: TinyModelFolder): object {
  const [encoder, decoder, joiner] = ['encoder', 'decoder', 'joiner'].map((role) => fileOf(model, role))
  return { transducer: { encoder, decoder, joiner }, tokens: fileOf(model, 'tokens'), ...EXECUTION }
}

function fileOf({ folder, model }: TinyModelFolder, role: string): string {
  const file = model.files.find((candidate) => candidate.role === role)
  if (file === undefined) throw new Error(`${model.id} has no file with the role ${role}.`)
  return join(folder, file.name)
}
