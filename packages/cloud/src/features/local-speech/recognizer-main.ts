/**
 * A process that recognizes with one model: the cloud starts it, sends audio and receives text (`messages.ts`). It ends with
 * the cloud. Native code that crashes here costs the utterances in progress, and nothing else.
 */
import { loadRecognizer } from './load-recognizer.ts'
import type { FromRecognizer, RecognizerLoad, ToRecognizer } from './messages.ts'
import type { LoadMessage } from './model-process.ts'
import { runModelProgram } from './model-program.ts'
import type { RecognitionEngine } from './recognition-engine.ts'
import { WorkMeter } from './work-meter.ts'

/** Interval at which the load is reported while there is work, in milliseconds. */
const REPORT_MS = 5_000

const meter = new WorkMeter()
let engine: RecognitionEngine | undefined
let isWorking = false
let reportedAt = performance.now()

function send(message: FromRecognizer): void {
  process.send?.(message)
}

function currentLoad(): RecognizerLoad {
  const { realTimeFactor, capacity } = meter
  return { realTimeFactor, capacity, residentBytes: process.memoryUsage.rss() }
}

/** Does the work that there is, and receives messages between its pieces. */
function work(): void {
  isWorking = engine?.step() === true
  if (performance.now() - reportedAt >= REPORT_MS) {
    reportedAt = performance.now()
    send({ type: 'load', ...currentLoad() })
  }
  if (isWorking) setImmediate(work)
}

function receive(message: ToRecognizer | LoadMessage): void {
  switch (message.type) {
    case 'load':
      engine = loadRecognizer(message, message.companions, meter, {
        segment: (stream, segment, voice) => send({ type: 'segment', stream, segment, voice }),
        finalized: (stream) => send({ type: 'finalized', stream }),
        consumed: (stream, bytes) => send({ type: 'consumed', stream, bytes }),
      })
      return send({ type: 'loaded', ...currentLoad() })
    case 'open':
      return engine?.open(message.stream, message.language)
    case 'audio':
      return engine?.push(message.stream, message.pcm)
    case 'finalize':
      return engine?.finalize(message.stream)
    case 'close':
      return engine?.close(message.stream)
  }
}

runModelProgram<ToRecognizer>((message) => {
  receive(message)
  if (isWorking) return
  isWorking = true
  setImmediate(work)
})
