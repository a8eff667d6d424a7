import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseWav, silence } from '@glasses-cloud/glasses'
import { missingPocketsphinx } from '../../src/features/stt/index.ts'

const run = promisify(execFile)

/** Why tests with a real voice and recognizer are skipped; false if the programs are installed. */
export const voiceMissing = await findReason()

async function findReason(): Promise<string | false> {
  const reason = (await missingPocketsphinx()) ?? (await missingFlite())
  if (reason === undefined) return false
  if (process.env.REQUIRE_SERVICES === '1')
    throw new Error(`A voice and a recognizer are required here (REQUIRE_SERVICES=1): ${reason}`)
  return reason
}

async function missingFlite(): Promise<string | undefined> {
  return run('flite', ['-lv']).then(
    () => undefined,
    () => 'install a voice: apt-get install flite',
  )
}

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
