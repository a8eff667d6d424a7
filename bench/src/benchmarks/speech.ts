import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { median } from '../statistics.ts'
import { sendAudioInRealTime } from '../support/audio-latency.ts'
import { connectBarePairs, connectCloudPairs, type Pair } from '../support/pairs.ts'
import { measureRelay } from '../support/relay-load.ts'
import { ServerProcess } from '../support/server-process.ts'
import { SpeechProvider } from '../support/speech-provider.ts'

const USERS = 50
const ROUND_MS = 4_000
/** 20 ms of speech. */
const FRAME = Buffer.from(new Int16Array(320).fill(3_000).buffer)
const LAST_WORD = /(word\d+)"/

/**
 * Users who speak in real time: the delay that the cloud adds to the answers of the provider, and its processor time
 * against a cloud that relays the audio to the app, plus bare sockets that relay it to the provider.
 */
export const speech: Benchmark = {
  title: `${USERS} users speak at once`,
  async run() {
    const provider = new SpeechProvider()
    const recognizing = await ServerProcess.start('cloud', await provider.listen())
    const relaying = await ServerProcess.start('cloud')
    const bare = await ServerProcess.start('bare')
    const delays: number[] = []
    const speakers = await connectCloudPairs(recognizing, USERS, { streams: ['transcription:en-US'] })
    await provider.waitForStreams(USERS)
    for (const { app } of speakers) {
      app.on('message', (data: Buffer) => {
        const word = LAST_WORD.exec(data.toString('latin1'))?.[1]
        const sentAt = word === undefined ? undefined : provider.sentAt.get(word)
        if (sentAt !== undefined) delays.push(performance.now() - sentAt)
      })
    }
    const load = (pairs: readonly Pair[]) => sendAudioInRealTime(pairs, FRAME, ROUND_MS)
    const streams = ['audio_chunk']
    const [speechMicros, relayMicros, bareMicros] = await measureRelay([
      { server: recognizing, pairs: speakers, load },
      { server: relaying, pairs: await connectCloudPairs(relaying, USERS, { streams }), load },
      { server: bare, pairs: await connectBarePairs(bare, USERS), load },
    ])
    provider.close()
    if (delays.length === 0) throw new Error('The apps received no words')
    return [
      {
        name: 'delay added to an answer of the provider, median',
        value: median(delays),
        unit: 'ms',
        detail: `${delays.length} answers`,
        aim: { atMost: 10 },
      },
      {
        name: 'processor time per frame of speech',
        value: speechMicros / (relayMicros + bareMicros),
        unit: '× relay and bare sockets',
        detail: `${formatNumber(speechMicros)} against ${formatNumber(relayMicros)} and ${formatNumber(bareMicros)} µs`,
        aim: { atMost: 1.5 },
      },
    ]
  },
}
