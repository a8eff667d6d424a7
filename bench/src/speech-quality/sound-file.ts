import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { findProgram } from '@glasses-cloud/cloud/config'
import { readWav, SAMPLE_RATE } from '@glasses-cloud/phone'
import { UnusableInputError } from './unusable-input-error.ts'

/**
 * Reads a sound file: WAV with 16 bit, 16 kHz and one channel, or, if the program ffmpeg is installed, any that it reads.
 * @returns 16-bit mono PCM at 16 kHz
 * @throws UnusableInputError
 */
export async function readSound(path: string): Promise<Buffer> {
  const pcm = await read(path)
  if (pcm.byteLength === 0) throw new UnusableInputError(`${path} contains no sound`)
  return pcm
}

async function read(path: string): Promise<Buffer> {
  const isWav = extname(path).toLowerCase() === '.wav'
  if (findProgram('ffmpeg') === undefined) {
    if (!isWav)
      throw new UnusableInputError(`${path} is not a WAV file; install ffmpeg (apt-get install ffmpeg)`)
    return readWav(path).catch((error: Error) => {
      throw new UnusableInputError(error.message)
    })
  }
  const pcm = isWav ? await readWav(path).catch(() => undefined) : undefined
  return pcm ?? decode(path)
}

async function decode(path: string): Promise<Buffer> {
  const format = ['-f', 's16le', '-ar', String(SAMPLE_RATE), '-ac', '1', 'pipe:1']
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', '-i', `file:${path}`, '-vn', ...format], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [pcm, problem, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (code === 0) return pcm
  const reason = problem.trim().split('\n').at(-1)
  throw new UnusableInputError(`ffmpeg cannot read ${path}: ${reason}`)
}
