import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cli } from '@glasses-cloud/cloud/test/cli'
import { ENGLISH, toneSpeech, writeTinyModel } from '@glasses-cloud/cloud/test/tiny-speech-models'
import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { playInRealTime } from '../support/audio-latency.ts'
import { measureButtonLatency } from '../support/button-latency.ts'
import { closePairs, connectCloudPairs } from '../support/pairs.ts'
import { ServerProcess } from '../support/server-process.ts'
import { AUTH_SECRET } from '../support/tokens.ts'

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
      return await measure(dataDir)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measure(dataDir: string) {
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
