import { createHash } from 'node:crypto'
import type { SpeechModel } from '../speech-models/index.ts'

/** Identifies a model with its files: another model, or other files, have another fingerprint. */
export function fingerprintOf({ id, architecture, files }: SpeechModel): string {
  const contents = files.map(({ name, role, sha256 }) => [name, role, sha256])
  return createHash('sha256')
    .update(JSON.stringify([id, architecture, contents]))
    .digest('hex')
    .slice(0, 16)
}
