import { join } from 'node:path'
import type { SpeechModel } from '../speech-models/index.ts'
import { UnusableModelError } from './unusable-model-error.ts'

/** Names that the library gives to the files of an architecture, by the roles of a manifest. */
const ARCHITECTURES: Record<string, { readonly key: string; readonly files: Record<string, string> }> = {
  transducer: { key: 'transducer', files: { encoder: 'encoder', decoder: 'decoder', joiner: 'joiner' } },
  'zipformer2-ctc': { key: 'zipformer2Ctc', files: { model: 'model' } },
  'zipformer-ctc': { key: 'zipformerCtc', files: { model: 'model' } },
  'nemo-ctc': { key: 'nemoCtc', files: { model: 'model' } },
  't-one-ctc': { key: 'toneCtc', files: { model: 'model' } },
  whisper: { key: 'whisper', files: { encoder: 'encoder', decoder: 'decoder' } },
  'sense-voice': { key: 'senseVoice', files: { model: 'model' } },
  moonshine: {
    key: 'moonshine',
    files: {
      preprocessor: 'preprocessor',
      encoder: 'encoder',
      'uncached-decoder': 'uncachedDecoder',
      'cached-decoder': 'cachedDecoder',
    },
  },
}
const PARAFORMER = {
  'streaming-recognizer': { key: 'paraformer', files: { encoder: 'encoder', decoder: 'decoder' } },
  recognizer: { key: 'paraformer', files: { model: 'model' } },
}
/** Settings of an architecture beside its files. */
const SETTINGS: Record<string, object> = {
  whisper: { task: 'transcribe', tailPaddings: -1 },
  'sense-voice': { useInverseTextNormalization: 1 },
}

/**
 * The configuration of the library for a recognizer, streaming or not.
 * @param folder folder of the installed model
 * @param language language code to recognize; of models with several languages, undefined lets the model detect it
 * @throws UnusableModelError for an unknown architecture and a missing role
 */
export function recognizerConfig(model: SpeechModel, folder: string, language?: string): object {
  const architecture =
    model.architecture === 'paraformer' &&
    (model.kind === 'recognizer' || model.kind === 'streaming-recognizer')
      ? PARAFORMER[model.kind]
      : Object.hasOwn(ARCHITECTURES, model.architecture)
        ? ARCHITECTURES[model.architecture]
        : undefined
  if (!architecture)
    throw new UnusableModelError(`${model.id} has the unknown architecture ${model.architecture}`)
  const files = Object.entries(architecture.files).map(([role, name]) => [name, fileOf(model, folder, role)])
  const isMultilingual = model.languages.length > 1 || model.detectsLanguage
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      [architecture.key]: {
        ...Object.fromEntries(files),
        ...SETTINGS[model.architecture],
        ...(isMultilingual && language !== undefined ? { language } : {}),
      },
      tokens: tokensFileOf(model, folder),
      // Processes share the processors; one thread each measures what a stream costs.
      numThreads: 1,
      provider: 'cpu',
      debug: 0,
    },
    decodingMethod: 'greedy_search',
    // The session ends utterances, for all providers alike.
    enableEndpoint: 0,
  }
}

/** The path of the file with the tokens of a model. @throws UnusableModelError if it has none */
export function tokensFileOf(model: SpeechModel, folder: string): string {
  return fileOf(model, folder, 'tokens')
}

function fileOf(model: SpeechModel, folder: string, role: string): string {
  const file = model.files.find((candidate) => candidate.role === role)
  if (!file) throw new UnusableModelError(`${model.id} has no file with the role ${role}`)
  return join(folder, file.name)
}
