import { readFile } from 'node:fs/promises'
import { SAMPLE_RATE } from './pcm.ts'

const ENCODING_PCM = 1
/** "See the sub-format": what many recorders write even for plain PCM. */
const ENCODING_EXTENSIBLE = 0xfffe

/** Reads a WAV file for the microphone; see `parseWav`. */
export async function readWav(path: string): Promise<Buffer> {
  try {
    return parseWav(await readFile(path))
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * The sound in a WAV file, as the microphone sends it.
 * @returns 16-bit mono PCM at 16 kHz
 * @throws an Error that says in a sentence what the file is instead, and how to convert it
 */
export function parseWav(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') {
    throw new Error('This is not a WAV file.')
  }
  let isMicrophoneFormat = false
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4)
    // A recorder that was cut off, or wrote to a pipe, leaves a size larger than the file.
    const body = file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4))
    if (name === 'fmt ') {
      assertMicrophoneFormat(body)
      isMicrophoneFormat = true
    }
    if (name === 'data') {
      if (!isMicrophoneFormat) throw new Error('This WAV file does not say its format before its sound.')
      return body.subarray(0, body.length & ~1)
    }
    at += 8 + body.length + (body.length & 1)
  }
  throw new Error('This WAV file holds no sound.')
}

function assertMicrophoneFormat(format: Buffer): void {
  if (format.length < 16) throw new Error('The format of this WAV file is cut short.')
  const tag = format.readUInt16LE(0)
  const encoding = tag === ENCODING_EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag
  const channels = format.readUInt16LE(2)
  const rate = format.readUInt32LE(4)
  const bits = format.readUInt16LE(14)
  if (encoding === ENCODING_PCM && channels === 1 && rate === SAMPLE_RATE && bits === 16) return
  const kind = encoding === ENCODING_PCM ? `${bits}-bit PCM` : `encoding ${encoding}`
  throw new Error(
    `The microphone takes 16-bit PCM, 1 channel, ${SAMPLE_RATE} Hz; this file is ${kind}, ${channels} ` +
      `${channels === 1 ? 'channel' : 'channels'}, ${rate} Hz. ` +
      `Convert it: ffmpeg -i IN.wav -ar ${SAMPLE_RATE} -ac 1 -c:a pcm_s16le OUT.wav`,
  )
}
