import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SAMPLE_RATE } from '@glasses-cloud/phone'
import type { TinyModelFolder } from './index.ts'

/** The part of `sherpa-onnx-node` that the tests of the tiny models call. */
interface Library {
  readonly OnlineRecognizer: new (config: object) => OnlineRecognizer
  readonly OfflineRecognizer: new (config: object) => OfflineRecognizer
}

interface Stream {
  acceptWaveform(sound: { readonly samples: Float32Array; readonly sampleRate: number }): void
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

const library = createRequire(import.meta.url)('sherpa-onnx-node') as Library

const FEATURES = { sampleRate: SAMPLE_RATE, featureDim: 80 }
const EXECUTION = { numThreads: 1, provider: 'cpu', debug: 0 }

/** Loads a streaming transducer, which ends an utterance after 0.8 s of silence. */
export function loadStreaming(model: TinyModelFolder): OnlineRecognizer {
  return new library.OnlineRecognizer({
    featConfig: FEATURES,
    modelConfig: {
      transducer: {
        encoder: fileOf(model, 'encoder'),
        decoder: fileOf(model, 'decoder'),
        joiner: fileOf(model, 'joiner'),
      },
      tokens: fileOf(model, 'tokens'),
      ...EXECUTION,
    },
    decodingMethod: 'greedy_search',
    enableEndpoint: 1,
    rule1MinTrailingSilence: 2.4,
    rule2MinTrailingSilence: 0.8,
    rule3MinUtteranceLength: 300,
  })
}

/** Loads an offline model; `architecture` is the name that the library gives to its type. */
export function loadOffline(model: TinyModelFolder, architecture: 'zipformerCtc'): OfflineRecognizer {
  return new library.OfflineRecognizer({
    featConfig: FEATURES,
    modelConfig: {
      [architecture]: { model: fileOf(model, 'model') },
      tokens: fileOf(model, 'tokens'),
      ...EXECUTION,
    },
  })
}

function fileOf({ folder, model }: TinyModelFolder, role: string): string {
  const file = model.files.find((candidate) => candidate.role === role)
  if (file === undefined) throw new Error(`${model.id} has no file with the role ${role}.`)
  return join(folder, file.name)
}
