import { tone } from '@glasses-cloud/phone'
import { Lc3Encoder } from '@glasses-cloud/phone/lc3'
import { against, type Benchmark, type Figure, formatNumber } from '../figure.ts'
import { measureRelay, type PacedLoad, type RelaySide, sendFrames, sendPaced } from '../support/load.ts'
import { connectBarePairs, connectCloudPairs, type Pair } from '../support/pairs.ts'
import { ServerProcess } from '../support/server-process.ts'

/** 20 ms of PCM. */
const AUDIO_FRAME = Buffer.alloc(640, 7)
const FRAMES_PER_PAIR = 2_000

const buttonPresses: PacedLoad = {
  from: 'glasses',
  perSecond: 200,
  count: 600,
  marker: '"button_press"',
  message: () =>
    JSON.stringify({ type: 'button_press', buttonId: 'main', pressType: 'short', timestamp: Date.now() }),
}

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

type Load = RelaySide['load']

async function bareSide(count: number, load: Load): Promise<RelaySide> {
  const server = await ServerProcess.start('bare')
  return { server, pairs: await connectBarePairs(server, count), load }
}

async function cloudSide(
  count: number,
  load: Load,
  options: Parameters<typeof connectCloudPairs>[2],
): Promise<RelaySide> {
  const server = await ServerProcess.start('cloud')
  return { server, pairs: await connectCloudPairs(server, count, options), load }
}

/** Processor time per relayed message, against two sockets joined with bare `ws`. */
export const relay: Benchmark = {
  title: 'processor time per relayed message',
  async run() {
    const measure = async (
      name: string,
      atMost: number,
      count: number,
      streams: readonly string[],
      load: Load,
    ): Promise<Figure> => {
      const sides = [await bareSide(count, load), await cloudSide(count, load, { streams })] as const
      const [bare, cloud] = await measureRelay(sides)
      return {
        name,
        value: cloud / bare,
        unit: '× bare ws',
        detail: against(cloud, bare, 'µs'),
        aim: { atMost },
      }
    }
    const audio = (pairs: readonly Pair[]) => sendFrames(pairs, AUDIO_FRAME, FRAMES_PER_PAIR)
    return [
      await measure('audio frame (640 bytes)', 1.2, 20, ['audio_chunk'], audio),
      await measure('button press at 200/s', 1.6, 20, ['button_press'], (pairs) =>
        sendPaced(pairs, buttonPresses),
      ),
      // Enough pairs that none exceeds the rate of one display event in 200 ms.
      await measure('display event at 200/s', 2.0, 50, [], (pairs) => sendPaced(pairs, displayEvents)),
    ]
  },
}

const LC3_PAIRS = 10
const LC3_FRAME_BYTES = 40
const FRAMES_PER_SECOND = 50

/** Cost of decoding LC3, as the difference to relaying PCM, against bare `ws` that relays LC3 without decoding it. */
export const lc3: Benchmark = {
  title: 'processor time to relay one second of LC3 as PCM',
  async run() {
    const pcm = tone(1_000 / FRAMES_PER_SECOND)
    const encoded = Buffer.from(new Lc3Encoder(LC3_FRAME_BYTES).encode(pcm))
    const audioFormat = { format: 'lc3', frameSizeBytes: LC3_FRAME_BYTES } as const
    const streams = ['audio_chunk']
    const sendLc3: Load = (pairs) => sendFrames(pairs, encoded, FRAMES_PER_PAIR)
    const sides = [
      await bareSide(LC3_PAIRS, sendLc3),
      await cloudSide(LC3_PAIRS, (pairs) => sendFrames(pairs, pcm, FRAMES_PER_PAIR), { streams }),
      await cloudSide(LC3_PAIRS, sendLc3, { streams, audioFormat }),
    ] as const
    const [bare, plain, decoded] = await measureRelay(sides)
    const ms = (micros: number) => (micros * FRAMES_PER_SECOND) / 1_000
    return [
      {
        name: 'decoding one second',
        value: ms(decoded - plain),
        unit: 'ms',
        detail: `${formatNumber(ms(decoded))} as LC3, ${formatNumber(ms(plain))} as PCM`,
        aim: { atMost: 10 },
      },
      {
        name: 'relaying one second',
        value: decoded / bare,
        unit: '× bare ws',
        detail: against(ms(decoded), ms(bare), 'ms'),
      },
    ]
  },
}
