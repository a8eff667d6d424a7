import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { tone } from './pcm.ts'
import { parseWav, readWav } from './wav.ts'

interface Format {
  tag?: number
  channels?: number
  rate?: number
  bits?: number
}

function chunk(name: string, body: Buffer, size = body.length): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length & 1)])
}

function formatChunk({ tag = 1, channels = 1, rate = 16_000, bits = 16 }: Format = {}): Buffer {
  const body = Buffer.alloc(tag === 0xfffe ? 40 : 16)
  body.writeUInt16LE(tag, 0)
  body.writeUInt16LE(channels, 2)
  body.writeUInt32LE(rate, 4)
  body.writeUInt16LE(bits, 14)
  if (tag === 0xfffe) body.writeUInt16LE(1, 24)
  return chunk('fmt ', body)
}

function wav(...chunks: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), ...chunks])
}

const pcm = tone(10)

describe('WAV files', () => {
  test('SIM-43: other chunks, sub-formats and wrong sizes are tolerated', () => {
    const odd = chunk('LIST', Buffer.from('odd'))
    assert.deepEqual(parseWav(wav(formatChunk(), odd, chunk('data', pcm), odd)), pcm)
    assert.deepEqual(parseWav(wav(formatChunk({ tag: 0xfffe }), chunk('data', pcm))), pcm)
    assert.deepEqual(parseWav(wav(formatChunk(), chunk('data', pcm, 0xffffffff))), pcm)
  })

  test('SIM-43: other formats are rejected with the format found and the command to convert it', () => {
    const assertRejected = (format: Format, message: RegExp) => {
      assert.throws(() => parseWav(wav(formatChunk(format), chunk('data', pcm))), message)
      assert.throws(
        () => parseWav(wav(formatChunk(format), chunk('data', pcm))),
        /ffmpeg -i IN\.wav -ar 16000 -ac 1/,
      )
    }
    assertRejected({ rate: 44_100 }, /16-bit PCM, 1 channel, 44100 Hz/)
    assertRejected({ channels: 2 }, /16-bit PCM, 2 channels, 16000 Hz/)
    assertRejected({ bits: 8 }, /8-bit PCM, 1 channel, 16000 Hz/)
    assertRejected({ tag: 3, bits: 32 }, /encoding 3/)
  })

  test('SIM-43: malformed files are rejected', () => {
    assert.throws(() => parseWav(Buffer.from('ID3')), /not a WAV file/)
    assert.throws(() => parseWav(wav(formatChunk())), /contains no audio data/)
    assert.throws(() => parseWav(wav(chunk('data', pcm))), /audio data before its format chunk/)
    assert.throws(() => parseWav(wav(chunk('fmt ', Buffer.alloc(4)))), /truncated/)
  })

  test('SIM-43: the error names the file', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'wav-'))
    t.after(() => rm(folder, { recursive: true }))
    const path = join(folder, 'a.wav')
    await writeFile(path, wav(formatChunk(), chunk('data', pcm)))
    assert.deepEqual(await readWav(path), pcm)
    await writeFile(path, 'x')
    await assert.rejects(readWav(path), /a\.wav: The file is not a WAV file/)
  })
})
