/**
 * A process that recognizes with one model: the cloud starts it, sends audio and receives text (`messages.ts`). It ends with
 * the cloud. Native code that crashes here costs the utterances in progress, and nothing else.
 */
import { constants, setPriority } from 'node:os'
import { loadRecognizer } from './load-recognizer.ts'
import type { FromRecognizer, RecognizerLoad, ToRecognizer } from './messages.ts'
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

function receive(message: ToRecognizer): void {
  switch (message.type) {
    case 'load':
      engine = loadRecognizer(message.model, message.folder, meter, {
        segment: (stream, segment) => send({ type: 'segment', stream, segment }),
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

// Button presses and displays of the cloud come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.on('disconnect', () => process.exit())
// A terminal sends these to all processes of the cloud, which then decides.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.on('message', (message: ToRecognizer) => {
  try {
    receive(message)
  } catch (error) {
    send({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    process.disconnect?.()
    return
  }
  if (!isWorking) {
    isWorking = true
    setImmediate(work)
  }
})
