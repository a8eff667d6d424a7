import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cli } from '@glasses-cloud/cloud/test/cli'
import { ENGLISH, toneSpeech, writeTinyModel } from '@glasses-cloud/cloud/test/tiny-speech-models'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Benchmark, formatNumber, median } from '../figure.ts'
import { measureButtonLatency, measureRelay, playInRealTime } from '../support/load.ts'
import { closePairs, connectBarePairs, connectCloudPairs, type Pair } from '../support/pairs.ts'
import { AUTH_SECRET, ServerProcess } from '../support/server-process.ts'

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
    const load = (pairs: readonly Pair[]) => playInRealTime(pairs, FRAME, ROUND_MS)
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

const SPEAKERS = 20
const WORDS = ['alpha', 'bravo', 'charlie', 'alpha', 'bravo', 'charlie']
/** Sentences of each speaker. */
const SENTENCES = 8
const PRESS_MS = 50

/** Wearers whose speech a tiny model recognizes on this machine in real time, and one who presses buttons. */
export const localSpeech: Benchmark = {
  title: `${SPEAKERS} users speak at once, recognized on this machine`,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-bench-speech-'))
    try {
      const dataDir = join(folder, 'data')
      const { folder: model } = await writeTinyModel('streamingEnglish', folder)
      const installed = await cli({ DATA_DIR: dataDir, AUTH_SECRET }, 'models', 'add', model)
      if (installed.code !== 0) throw new Error(installed.err)
      return await measureLocal(dataDir)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measureLocal(dataDir: string) {
  const server = await ServerProcess.start('cloud', { DATA_DIR: dataDir })
  const speakers = await connectCloudPairs(server, SPEAKERS, { streams: ['transcription:en-US'] })
  const [presser] = await connectCloudPairs(server, 1, { streams: ['button_press'], first: SPEAKERS })
  if (!presser) throw new Error('There is no wearer')
  const heard = speakers.map(({ app }) => {
    const words: string[] = []
    app.on('message', (data: Buffer) => {
      if (!data.includes('"isFinal":true')) return
      words.push(...String(JSON.parse(String(data)).data.text).split(' '))
    })
    return words
  })
  const { pcm } = toneSpeech(WORDS, { language: ENGLISH, leadMs: 300, tailMs: 1_200, amplitude: 0.4 })
  const sentenceMs = pcm.byteLength / 32
  const presses = (ms: number) =>
    measureButtonLatency(presser, { count: ms / PRESS_MS, intervalMs: PRESS_MS })
  const alone = await presses(4_000)
  const durationMs = SENTENCES * sentenceMs
  const [busy] = await Promise.all([
    presses(Math.floor(durationMs / PRESS_MS) * PRESS_MS),
    playInRealTime(speakers, pcm, durationMs),
  ])
  const expected = SENTENCES * WORDS.length
  await waitForWords(heard, expected)
  const metrics = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  const readMetric = (name: string) => Number(new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(metrics)?.[1])
  closePairs([...speakers, presser])
  await server.stop()
  const delayMs = (readMetric('speech_delay_seconds_sum') / readMetric('speech_delay_seconds_count')) * 1_000
  return [
    {
      name: 'time from a button press to its app, 99th percentile',
      value: busy,
      unit: 'ms',
      detail: `${formatNumber(alone)} ms while nobody speaks`,
      aim: { atMost: 20 },
    },
    {
      name: 'words that were not recognized',
      value: heard.reduce((sum, words) => sum + Math.max(0, expected - words.length), 0),
      unit: 'words',
      detail: `of ${SPEAKERS * expected}`,
      aim: { atMost: 0 },
    },
    {
      name: 'time from audio to its text, mean',
      value: delayMs,
      unit: 'ms',
      detail: `real-time factor ${readMetric('local_speech_real_time_factor').toFixed(4)}, room for ${readMetric('local_speech_capacity')} streams`,
    },
  ]
}

/** Waits until every speaker has all words, or none has had a new one for five seconds. */
async function waitForWords(heard: readonly (readonly string[])[], expected: number): Promise<void> {
  const count = () => heard.reduce((sum, words) => sum + words.length, 0)
  for (let before = -1; count() > before && heard.some((words) => words.length < expected); ) {
    before = count()
    await new Promise((resolve) => setTimeout(resolve, 5_000))
  }
}

/** A real provider answers about ten times a second: with every fifth frame of 20 ms. */
const FRAMES_PER_ANSWER = 5

/** Answers audio with words, in the protocol of Deepgram. */
export class SpeechProvider {
  /** When each word was sent, by its text. */
  readonly sentAt = new Map<string, number>()
  #server: WebSocketServer | undefined
  #words = 0
  readonly #events = new EventEmitter()

  /** The settings of a cloud that uses this provider. */
  async listen(): Promise<Record<string, string>> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
    this.#server = server
    await once(server, 'listening')
    server.on('connection', (socket) => {
      this.#serve(socket)
      this.#events.emit('connection')
    })
    const { port } = server.address() as AddressInfo
    return {
      STT_PROVIDERS: 'deepgram',
      DEEPGRAM_API_KEY: 'bench',
      DEEPGRAM_URL: `ws://127.0.0.1:${port}/v1/listen`,
    }
  }

  /** Resolves when this many streams are open. */
  async waitForStreams(count: number): Promise<void> {
    while ((this.#server?.clients.size ?? 0) < count) await once(this.#events, 'connection')
  }

  close(): void {
    for (const client of this.#server?.clients ?? []) client.terminate()
    this.#server?.close()
  }

  #serve(socket: WebSocket): void {
    let frames = 0
    let text = ''
    const answer = (flags: Record<string, boolean>) => {
      const end = frames * 0.02
      const channel = { alternatives: [{ transcript: text, confidence: 0.9, words: [] }] }
      socket.send(JSON.stringify({ type: 'Results', start: 0, duration: end, channel, ...flags }))
    }
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) {
        if (!data.includes('Finalize')) return
        answer({ is_final: true, speech_final: false, from_finalize: true })
        text = ''
        return
      }
      frames += 1
      if (frames % FRAMES_PER_ANSWER !== 0) return
      this.#words += 1
      text = `${text.split(' ').slice(-10).join(' ')} word${this.#words}`.trim()
      this.sentAt.set(`word${this.#words}`, performance.now())
      answer({ is_final: false, speech_final: false })
    })
  }
}
