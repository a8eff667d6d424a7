import { tone } from '@glasses-cloud/glasses'
import { Lc3Encoder } from '@glasses-cloud/glasses/lc3'
import { barePairs, cloudPairs } from './pairs.ts'
import { relayed } from './relayed.ts'
import { ServerProcess } from './server-process.ts'

const PAIRS = 10
const FRAME_BYTES = 40
/** Of a second. */
const MESSAGES = 50

/**
 * Processor time that decoding a second of sound costs: what the cloud needs to pass on LC3 as PCM, above what it needs
 * for the same second of PCM; and the whole of it as a ratio to bare `ws` that passes on the LC3 as it is. Aim: under a
 * hundredth of real time, so that decoding may stay on the loop that relays.
 */
export async function lc3(): Promise<string> {
  const bare = await ServerProcess.start('bare')
  const plain = await ServerProcess.start('cloud')
  const decoding = await ServerProcess.start('cloud')
  const pcm = tone(20)
  const coded = new Lc3Encoder(FRAME_BYTES).encode(pcm)
  const format = { format: 'lc3', frameSizeBytes: FRAME_BYTES } as const
  const micros = await relayed([
    { server: bare, pairs: await barePairs(bare, PAIRS), frame: coded },
    { server: plain, pairs: await cloudPairs(plain, PAIRS, ['audio_chunk']), frame: pcm },
    { server: decoding, pairs: await cloudPairs(decoding, PAIRS, ['audio_chunk'], 0, format), frame: coded },
  ])
  const [bareMs, plainMs, lc3Ms] = micros.map((each) => (each * MESSAGES) / 1_000) as [number, number, number]
  const decoded = lc3Ms - plainMs
  return `lc3: ${decoded.toFixed(1)} ms of processor to decode a second of sound (aim: under 10); relaying it costs ${(lc3Ms / bareMs).toFixed(1)} times bare ws (${lc3Ms.toFixed(1)} against ${bareMs.toFixed(1)} ms; ${plainMs.toFixed(1)} as PCM)`
}
