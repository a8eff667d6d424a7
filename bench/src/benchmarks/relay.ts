import { type Benchmark, type Figure, formatNumber } from '../figure.ts'
import { connectBarePairs, connectCloudPairs, type Pair } from '../support/pairs.ts'
import { measureRelay, type PacedLoad, sendFrames, sendPaced } from '../support/load.ts'
import { ServerProcess } from '../support/server-process.ts'
import { tone } from '@glasses-cloud/phone'
import { Lc3Encoder } from '@glasses-cloud/phone/lc3'

/** 20 ms of PCM. */
const AUDIO_FRAME = Buffer.alloc(640, 7)
const FRAMES_PER_PAIR = 2_000
const AUDIO_PAIRS = 20

const BUTTON_PAIRS = 20
const buttonPresses: PacedLoad = {
  from: 'glasses',
  perSecond: 200,
  count: 600,
  marker: '"button_press"',
  message: () =>
    JSON.stringify({ type: 'button_press', buttonId: 'main', pressType: 'short', timestamp: Date.now() }),
}

/** Enough pairs that none exceeds the rate of one display event in 200 ms. */
const DISPLAY_PAIRS = 50
const displayEvents: PacedLoad = {
  from: 'app',
  perSecond: 200,
  count: 600,
  marker: '"display_event"',
  message: (index) =>
    JSON.stringify({
      type: 'display_event',
      packageName: 'bench.app',
      view: 'main',
      layout: { layoutType: 'text_wall', text: `Text number ${index} on the display` },
      timestamp: new Date().toISOString(),
    }),
}

/** Processor time per relayed message, against two sockets joined with bare `ws`. */
export const relay: Benchmark = {
  title: 'processor time per relayed message',
  async run() {
    const audio = (pairs: readonly Pair[]) => sendFrames(pairs, AUDIO_FRAME, FRAMES_PER_PAIR)
    const buttons = (pairs: readonly Pair[]) => sendPaced(pairs, buttonPresses)
    const displays = (pairs: readonly Pair[]) => sendPaced(pairs, displayEvents)
    return [
      await measure('audio frame (640 bytes)', 1.2, AUDIO_PAIRS, ['audio_chunk'], audio),
      await measure('button press at 200/s', 1.6, BUTTON_PAIRS, ['button_press'], buttons),
      await measure('display event at 200/s', 2.0, DISPLAY_PAIRS, [], displays),
    ]
  },
}

async function measure(
  name: string,
  atMost: number,
  count: number,
  streams: readonly string[],
  load: (pairs: readonly Pair[]) => Promise<number>,
): Promise<Figure> {
  const bare = await ServerProcess.start('bare')
  const cloud = await ServerProcess.start('cloud')
  const [bareMicros, cloudMicros] = await measureRelay([
    { server: bare, pairs: await connectBarePairs(bare, count), load },
    { server: cloud, pairs: await connectCloudPairs(cloud, count, { streams }), load },
  ])
  return {
    name,
    value: cloudMicros / bareMicros,
    unit: '× bare ws',
    detail: `${formatNumber(cloudMicros)} against ${formatNumber(bareMicros)} µs`,
    aim: { atMost },
  }
}

const LC3_PAIRS = 10
const LC3_FRAME_BYTES = 40
const FRAMES_PER_SECOND = 50
const LC3_FRAMES = 2_000

/** Cost of decoding LC3, as the difference to relaying PCM, against bare `ws` that relays LC3 without decoding it. */
export const lc3: Benchmark = {
  title: 'processor time to relay one second of LC3 as PCM',
  async run() {
    const bare = await ServerProcess.start('bare')
    const plain = await ServerProcess.start('cloud')
    const decoding = await ServerProcess.start('cloud')
    const pcm = tone(1_000 / FRAMES_PER_SECOND)
    const encoded = Buffer.from(new Lc3Encoder(LC3_FRAME_BYTES).encode(pcm))
    const audioFormat = { format: 'lc3', frameSizeBytes: LC3_FRAME_BYTES } as const
    const streams = ['audio_chunk']
    const sendPcm = (pairs: readonly Pair[]) => sendFrames(pairs, pcm, LC3_FRAMES)
    const sendLc3 = (pairs: readonly Pair[]) => sendFrames(pairs, encoded, LC3_FRAMES)
    const micros = await measureRelay([
      { server: bare, pairs: await connectBarePairs(bare, LC3_PAIRS), load: sendLc3 },
      { server: plain, pairs: await connectCloudPairs(plain, LC3_PAIRS, { streams }), load: sendPcm },
      {
        server: decoding,
        pairs: await connectCloudPairs(decoding, LC3_PAIRS, { streams, audioFormat }),
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
