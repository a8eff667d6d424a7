import type { SpeechModel } from '../../api/speech-models.ts'
import { formatBytes } from '../../format.ts'
import { speechModelsTexts as texts } from './speech-models.texts.ts'

/** Says how much of a model has arrived. */
export function progressText({ receivedBytes = 0, bytes }: SpeechModel): string {
  return texts.progress(formatBytes(receivedBytes), bytes === undefined ? undefined : formatBytes(bytes))
}
