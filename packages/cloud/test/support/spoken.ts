import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseWav, silence } from '@glasses-cloud/phone'
import { findProgram } from '../../src/config/index.ts'
import { missingPocketsphinx, startPocketsphinxServer } from '../../src/features/stt/index.ts'
import { skipIfMissing } from './optional-part.ts'
import type { Scope } from './scope.ts'

const run = promisify(execFile)

/** Why tests with a real voice and recognizer are skipped; false if the programs are installed. */
export const voiceMissing = skipIfMissing(
  (await missingPocketsphinx()) !== undefined || findProgram('flite') === undefined
    ? 'a voice and a recognizer are not installed (apt-get install flite pocketsphinx pocketsphinx-en-us)'
    : undefined,
)

/** Returns a sentence as PCM, spoken by the voice `slt` of `flite`, with a pause after it. */
export async function spoken(sentence: string, pauseMs = 1_200): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'spoken-'))
  const path = join(folder, 'sentence.wav')
  try {
    await run('flite', ['-voice', 'slt', '-t', sentence, '-o', path])
    return Buffer.concat([parseWav(await readFile(path)), silence(pauseMs)])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts a recognizer of English, until the scope ends. @returns the settings of a cloud that uses it */
export async function startRecognizer(scope: Scope): Promise<Record<string, string>> {
  const recognizer = await startPocketsphinxServer({ host: '127.0.0.1', port: 0 })
  scope.after(() => recognizer.close())
  return { STT_PROVIDERS: 'wyoming', WYOMING_URL: `tcp://127.0.0.1:${recognizer.port}` }
}
