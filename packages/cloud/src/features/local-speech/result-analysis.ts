import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { SpeechModel } from '../speech-models/index.ts'
import type { ModelFolder } from './model-process.ts'
import { SAMPLE_RATE } from './recognition-engine.ts'
import { UnusableModelError } from './unusable-model-error.ts'

const require = createRequire(import.meta.url)

/** Speech that is too short to tell who said it, in samples. */
const MIN_VOICE_SAMPLES = SAMPLE_RATE / 2

/** What is added to the text of a recognizer by other models: punctuation, and the voice that said it. */
export interface ResultAnalysis {
  /** Whether `voiceOf` needs the audio of utterances. */
  readonly hasSpeakers: boolean
  /** Adds marks and capitals to a text that has none. @param language of the text */
  punctuate(text: string, language: string | undefined): string
  /** The vector of a voice: similar for the same speaker. Undefined for short speech and without a model for it. */
  voiceOf(samples: Float32Array): Float32Array | undefined
}

/** Loads the models beside a recognizer. @throws UnusableModelError for an unknown architecture and a missing role */
export function loadAnalysis(companions: readonly ModelFolder[]): ResultAnalysis {
  const punctuations = companions
    .filter(({ model }) => model.kind === 'punctuation')
    .map((companion) => ({ languages: companion.model.languages, native: loadPunctuation(companion) }))
  const speaker = companions.find(({ model }) => model.kind === 'speaker')
  const extractor = speaker && loadSpeaker(speaker)
  return {
    hasSpeakers: extractor !== undefined,
    punctuate(text, language) {
      if (language === undefined || /\p{P}/u.test(text.replaceAll(/['’-]/g, ''))) return text
      const fitting = punctuations.find(({ languages }) => languages.includes(language))
      return fitting ? withOwnMarks(fitting.native.addPunct(text), language) : text
    },
    voiceOf(samples) {
      if (!extractor || samples.length < MIN_VOICE_SAMPLES) return undefined
      const stream = extractor.createStream()
      stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE })
      stream.inputFinished()
      // A buffer of the library cannot be sent to another process.
      return extractor.isReady(stream) ? extractor.compute(stream, false) : undefined
    },
  }
}

/** Marks of Chinese, which some models write in every language, and those of other scripts. */
const MARKS: Readonly<Record<string, string>> = { '，': ', ', '、': ', ', '。': '. ', '？': '? ', '！': '! ' }
const WITH_CHINESE_MARKS = ['zh', 'yue', 'ja']

function withOwnMarks(text: string, language: string): string {
  if (WITH_CHINESE_MARKS.includes(language)) return text
  return text.replace(/[，、。？！]/g, (mark) => MARKS[mark] ?? mark).trim()
}

function loadPunctuation(companion: ModelFolder) {
  const { OfflinePunctuation, OnlinePunctuation } = library()
  switch (companion.model.architecture) {
    case 'ct-transformer':
      return new OfflinePunctuation({ model: { ctTransformer: fileOf(companion, 'model'), ...EXECUTION } })
    case 'cnn-bilstm': {
      const files = { cnnBilstm: fileOf(companion, 'model'), bpeVocab: fileOf(companion, 'bpe') }
      return new OnlinePunctuation({ model: { ...files, ...EXECUTION } })
    }
    default:
      throw unknownArchitecture(companion.model)
  }
}

function loadSpeaker(companion: ModelFolder) {
  if (companion.model.architecture !== 'embedding') throw unknownArchitecture(companion.model)
  const { SpeakerEmbeddingExtractor } = library()
  return new SpeakerEmbeddingExtractor({ model: fileOf(companion, 'model'), ...EXECUTION })
}

const EXECUTION = { numThreads: 1, provider: 'cpu', debug: 0 }

function library() {
  return require('sherpa-onnx-node') as typeof import('sherpa-onnx-node')
}

function unknownArchitecture({ id, architecture }: SpeechModel): UnusableModelError {
  return new UnusableModelError(`${id} has the unknown architecture ${architecture}`)
}

function fileOf({ model, folder }: ModelFolder, role: string): string {
  const file = model.files.find((candidate) => candidate.role === role)
  if (!file) throw new UnusableModelError(`${model.id} has no file with the role ${role}`)
  return join(folder, file.name)
}
