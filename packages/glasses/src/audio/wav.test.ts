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

const sound = tone(10)

describe('WAV files', () => {
  test('SIM-43: the sound is taken, whatever stands around it', () => {
    const odd = chunk('LIST', Buffer.from('odd'))
    assert.deepEqual(parseWav(wav(formatChunk(), odd, chunk('data', sound), odd)), sound)
    assert.deepEqual(parseWav(wav(formatChunk({ tag: 0xfffe }), chunk('data', sound))), sound)
    assert.deepEqual(parseWav(wav(formatChunk(), chunk('data', sound, 0xffffffff))), sound)
  })

  test('SIM-43: other formats are refused with what they are and how to convert them', () => {
    const refused = (format: Format, what: RegExp) => {
      assert.throws(() => parseWav(wav(formatChunk(format), chunk('data', sound))), what)
      assert.throws(
        () => parseWav(wav(formatChunk(format), chunk('data', sound))),
        /ffmpeg -i IN\.wav -ar 16000 -ac 1/,
      )
    }
    refused({ rate: 44_100 }, /16-bit PCM, 1 channel, 44100 Hz/)
    refused({ channels: 2 }, /16-bit PCM, 2 channels, 16000 Hz/)
    refused({ bits: 8 }, /8-bit PCM, 1 channel, 16000 Hz/)
    refused({ tag: 3, bits: 32 }, /encoding 3/)
  })

  test('SIM-43: files that are broken are refused too', () => {
    assert.throws(() => parseWav(Buffer.from('ID3')), /not a WAV file/)
    assert.throws(() => parseWav(wav(formatChunk())), /holds no sound/)
    assert.throws(() => parseWav(wav(chunk('data', sound))), /format before its sound/)
    assert.throws(() => parseWav(wav(chunk('fmt ', Buffer.alloc(4)))), /cut short/)
  })

  test('SIM-43: a file is named in the sentence', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'wav-'))
    t.after(() => rm(folder, { recursive: true }))
    const path = join(folder, 'a.wav')
    await writeFile(path, wav(formatChunk(), chunk('data', sound)))
    assert.deepEqual(await readWav(path), sound)
    await writeFile(path, 'x')
    await assert.rejects(readWav(path), /a\.wav: This is not a WAV file/)
  })
})
