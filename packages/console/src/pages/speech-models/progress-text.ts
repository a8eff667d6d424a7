import type { SpeechModel } from '../../api/speech-models.ts'
import { formatBytes } from '../../format.ts'

/** Says how much of a model has arrived. */
export function progressText({ receivedBytes = 0, bytes }: SpeechModel): string {
  const total = bytes === undefined ? '' : ` of ${formatBytes(bytes)}`
  return `Installing: ${formatBytes(receivedBytes)}${total}`
}
