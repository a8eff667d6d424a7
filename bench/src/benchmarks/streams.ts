import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { RtmpIngest } from '@glasses-cloud/cloud/rtmp-ingest'
import { type Benchmark, formatNumber } from '../figure.ts'
import { childUse, ffmpeg } from '../support/child-processes.ts'
import { ServerProcess } from '../support/server-process.ts'

const STREAMS = 10
const OUTPUTS = 2
const FRAMES_PER_SECOND = 30
const SECONDS = 30

/** Time for all processes to start, which is not measured. */
const SETTLE_MS = 10_000

/** What an output received. */
class Sink {
  frames = 0
  dropped = 0
  #last: number | undefined

  /** @param timestamp ms */
  receive(timestamp: number): void {
    const frameMs = 1_000 / FRAMES_PER_SECOND
    this.frames += 1
    if (this.#last !== undefined)
      this.dropped += Math.max(Math.round((timestamp - this.#last) / frameMs) - 1, 0)
    this.#last = timestamp
  }
}

/** Ten streams of 720p at once, packaged as HLS and DASH and forwarded to two RTMP servers each. */
export const streams: Benchmark = {
  title: `${STREAMS} streams of 720p with ${OUTPUTS} outputs each`,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'bench-streams-'))
    const receiver = await RtmpIngest.listen('127.0.0.1', 0)
    const cloud = await ServerProcess.start('cloud', { STREAM_PROVIDER: 'local', RTMP_PORT: '0' })
    try {
      const video = join(folder, 'video.flv')
      await encode(video)
      const sinks = new Map(
        Array.from({ length: STREAMS * OUTPUTS }, (_, index) => [`sink${index}`, new Sink()]),
      )
      for (const [key, sink] of sinks)
        receiver.register(key, () => ({
          onTag: ({ kind, timestamp }) => {
            if (kind === 'keyframe' || kind === 'video') sink.receive(timestamp)
          },
          onEnd() {},
        }))
      const keys = [...sinks.keys()]
      const outputs = Array.from({ length: STREAMS }, (_, stream) =>
        keys
          .slice(stream * OUTPUTS, (stream + 1) * OUTPUTS)
          .map((key) => `rtmp://127.0.0.1:${receiver.port}/live/${key}`),
      )
      const urls = await cloud.run<string[]>({ command: 'create-inputs', outputs })
      const publishing = urls.map((url) => ffmpeg(['-re', '-i', video, '-c', 'copy', '-f', 'flv', url]))
      await delay(SETTLE_MS)
      const before = { cloudMicros: await cloud.run({ command: 'cpu' }), children: childUse(cloud.pid) }
      const startedAt = performance.now()
      await delay((SECONDS - 5) * 1_000 - SETTLE_MS)
      const children = childUse(cloud.pid)
      const cloudMs = ((await cloud.run({ command: 'cpu' })) - before.cloudMicros) / 1_000
      const elapsedMs = performance.now() - startedAt
      const childMs = children.cpuMs - before.children.cpuMs
      const memory = await cloud.run({ command: 'resident-memory' })
      await Promise.all(publishing)
      const received = [...sinks.values()]
      const silent = received.filter(({ frames }) => frames < (SECONDS * FRAMES_PER_SECOND) / 2).length
      const dropped = received.reduce((sum, sink) => sum + sink.dropped, 0)
      return [
        { name: 'outputs without video', value: silent, unit: `of ${received.length}`, aim: { atMost: 0 } },
        {
          name: 'dropped frames',
          value: dropped,
          unit: `of ${received.reduce((sum, { frames }) => sum + frames, 0)}`,
          aim: { atMost: 0 },
        },
        {
          name: 'processor time of a stream',
          value: ((cloudMs + childMs) / elapsedMs / STREAMS) * 100,
          unit: '% of a core',
          detail: `cloud ${formatNumber((cloudMs / elapsedMs) * 100)} %, ${children.count} ffmpeg processes ${formatNumber((childMs / elapsedMs) * 100)} %`,
          aim: { atMost: 10 },
        },
        {
          name: 'private memory of an ffmpeg process',
          value: children.memoryBytes / children.count / 1024 / 1024,
          unit: 'MB',
          detail: `cloud ${formatNumber(memory / 1024 / 1024)} MB resident`,
        },
      ]
    } finally {
      await cloud.stop()
      await receiver.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** Encodes the video beforehand, so that the encoders do not take the processors from the cloud. */
function encode(file: string): Promise<void> {
  return ffmpeg([
    ...['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${FRAMES_PER_SECOND}`, '-f', 'lavfi', '-i', 'sine'],
    ...['-t', `${SECONDS}`, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-b:v', '2M'],
    ...['-g', `${FRAMES_PER_SECOND}`, '-c:a', 'aac', file],
  ])
}
