import { tone } from '@glasses-cloud/phone'
import { Lc3Encoder } from '@glasses-cloud/phone/lc3'
import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { connectBarePairs, connectCloudPairs, type Pair } from '../support/pairs.ts'
import { measureRelay, sendFrames } from '../support/relay-load.ts'
import { ServerProcess } from '../support/server-process.ts'

const PAIRS = 10
const FRAME_BYTES = 40
const FRAMES_PER_SECOND = 50
const FRAMES_PER_PAIR = 2_000

/** Cost of decoding LC3, as the difference to relaying PCM, against bare `ws` that relays LC3 without decoding it. */
export const lc3: Benchmark = {
  title: 'processor time to relay one second of LC3 as PCM',
  async run() {
    const bare = await ServerProcess.start('bare')
    const plain = await ServerProcess.start('cloud')
    const decoding = await ServerProcess.start('cloud')
    const pcm = tone(1_000 / FRAMES_PER_SECOND)
    const encoded = Buffer.from(new Lc3Encoder(FRAME_BYTES).encode(pcm))
    const audioFormat = { format: 'lc3', frameSizeBytes: FRAME_BYTES } as const
    const streams = ['audio_chunk']
    const sendPcm = (pairs: readonly Pair[]) => sendFrames(pairs, pcm, FRAMES_PER_PAIR)
    const sendLc3 = (pairs: readonly Pair[]) => sendFrames(pairs, encoded, FRAMES_PER_PAIR)
    const micros = await measureRelay([
      { server: bare, pairs: await connectBarePairs(bare, PAIRS), load: sendLc3 },
      { server: plain, pairs: await connectCloudPairs(plain, PAIRS, { streams }), load: sendPcm },
      {
        server: decoding,
        pairs: await connectCloudPairs(decoding, PAIRS, { streams, audioFormat }),
        load: sendLc3,
      },
    ])
    const [bareMs, plainMs, lc3Ms] = micros.map((each) => (each * FRAMES_PER_SECOND) / 1_000) as [
      number,
      number,
      number,
    ]
    return [
      {
        name: 'decoding one second',
        value: lc3Ms - plainMs,
        unit: 'ms',
        detail: `${formatNumber(lc3Ms)} as LC3, ${formatNumber(plainMs)} as PCM`,
        aim: { atMost: 10 },
      },
      {
        name: 'relaying one second',
        value: lc3Ms / bareMs,
        unit: '× bare ws',
        detail: `${formatNumber(lc3Ms)} against ${formatNumber(bareMs)} ms`,
      },
    ]
  },
}
