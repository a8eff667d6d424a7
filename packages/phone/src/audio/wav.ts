import { readFile } from 'node:fs/promises'
import { SAMPLE_RATE } from './pcm.ts'

const ENCODING_PCM = 1
/** The encoding is in the sub-format field; many recorders write this even for plain PCM. */
const ENCODING_EXTENSIBLE = 0xfffe

/**
 * Reads a WAV file as microphone audio; see `parseWav`.
 * @throws {Error} with the path and the reason
 */
export async function readWav(path: string): Promise<Buffer> {
  try {
    return parseWav(await readFile(path))
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Extracts the audio of a WAV file.
 * @returns 16-bit mono PCM at 16 kHz
 * @throws {Error} if the file has another format, with that format and the command to convert it
 */
export function parseWav(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') {
    throw new Error('The file is not a WAV file.')
  }
  let isMicrophoneFormat = false
  for (let offset = 12; offset + 8 <= file.length; ) {
    const name = file.toString('latin1', offset, offset + 4)
    // The size may exceed the file if the recorder was interrupted or wrote to a pipe.
    const body = file.subarray(offset + 8, offset + 8 + file.readUInt32LE(offset + 4))
    if (name === 'fmt ') {
      assertMicrophoneFormat(body)
      isMicrophoneFormat = true
    }
    if (name === 'data') {
      if (!isMicrophoneFormat) throw new Error('The WAV file has audio data before its format chunk.')
      return body.subarray(0, body.length & ~1)
    }
    offset += 8 + body.length + (body.length & 1)
  }
  throw new Error('The WAV file contains no audio data.')
}

function assertMicrophoneFormat(format: Buffer): void {
  if (format.length < 16) throw new Error('The format chunk of the WAV file is truncated.')
  const tag = format.readUInt16LE(0)
  const encoding = tag === ENCODING_EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag
  const channels = format.readUInt16LE(2)
  const rate = format.readUInt32LE(4)
  const bits = format.readUInt16LE(14)
  if (encoding === ENCODING_PCM && channels === 1 && rate === SAMPLE_RATE && bits === 16) return
  const kind = encoding === ENCODING_PCM ? `${bits}-bit PCM` : `encoding ${encoding}`
  throw new Error(
    `The audio must be 16-bit PCM, 1 channel, ${SAMPLE_RATE} Hz; the file is ${kind}, ${channels} ` +
      `${channels === 1 ? 'channel' : 'channels'}, ${rate} Hz. ` +
      `Convert it: ffmpeg -i IN.wav -ar ${SAMPLE_RATE} -ac 1 -c:a pcm_s16le OUT.wav`,
  )
}
