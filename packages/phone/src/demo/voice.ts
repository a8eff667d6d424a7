import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { silence } from '../audio/tone.ts'
import { parseWav } from '../audio/wav.ts'

/** A pause that ends a sentence, in milliseconds. */
const PAUSE_MS = 1_200

/**
 * Speaks a sentence with the program `flite`.
 * @param path a temporary file
 * @returns microphone audio; undefined if the program is not installed
 */
export async function speakAloud(sentence: string, path: string): Promise<Buffer | undefined> {
  const child = spawn('flite', ['-voice', 'slt', '-t', sentence, '-o', path], { stdio: 'ignore' })
  const isSpoken = await once(child, 'close').then(
    ([code]) => code === 0,
    () => false,
  )
  return isSpoken ? Buffer.concat([parseWav(await readFile(path)), silence(PAUSE_MS)]) : undefined
}
