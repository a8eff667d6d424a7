import { findLanguage } from '@glasses-cloud/contract'
import catalogue from './catalogue.json' with { type: 'json' }
import { type ModelManifest, readManifest, type SpeechModel } from './speech-model.ts'

/** What a recommendation looks at. */
type Recognizes = Pick<SpeechModel, 'kind' | 'languages'>

let read: readonly ModelManifest[] | undefined

/** The models of the catalogue, which is part of the program. */
export function catalogueModels(): readonly ModelManifest[] {
  read ??= catalogue.models.map((entry) => {
    const reading = readManifest(entry)
    if (!reading.ok) throw new Error(`catalogue.json: ${entry.id}: ${reading.problems.join('; ')}`)
    return reading.manifest
  })
  return read
}

/** Kinds of models that make text of speech, the best for captions first. */
const RECOGNIZERS = ['streaming-recognizer', 'recognizer'] as const

/** Returns whether a model makes text of speech. */
function isRecognizer({ kind }: Pick<SpeechModel, 'kind'>): boolean {
  return RECOGNIZERS.some((each) => each === kind)
}

/** Returns the languages that models recognize, sorted. */
export function recognizedLanguages(models: readonly Recognizes[]): string[] {
  return [...new Set(models.filter(isRecognizer).flatMap(({ languages }) => languages))].sort()
}

/**
 * Returns the model of the catalogue to install for a language: the first that recognizes it while it is spoken, otherwise
 * the first that recognizes it.
 * @param tag such as `de-AT`
 * @param installed nothing is recommended if one of them recognizes the language
 */
export function recommendedModel(
  tag: string,
  installed: readonly Recognizes[],
  models: readonly ModelManifest[] = catalogueModels(),
): ModelManifest | undefined {
  if (findLanguage(tag, recognizedLanguages(installed))) return undefined
  for (const kind of RECOGNIZERS) {
    const found = models.find((model) => model.kind === kind && findLanguage(tag, model.languages))
    if (found) return found
  }
  return undefined
}
