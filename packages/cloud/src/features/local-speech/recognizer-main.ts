/**
 * A process that recognizes with one model: the cloud starts it, sends audio and receives text (`messages.ts`). It ends with
 * the cloud. Native code that crashes here costs the utterances in progress, and nothing else.
 */
import { loadRecognizer } from './load-recognizer.ts'
import type { FromRecognizer, ToRecognizer } from './messages.ts'
import { type LoadMessage, runModelProgram } from './model-process.ts'
import type { RecognitionEngine } from './recognition-engine.ts'
import { WorkLoop } from './work-loop.ts'
import { WorkMeter } from './work-meter.ts'

const meter = new WorkMeter()
let engine: RecognitionEngine | undefined
const loop = new WorkLoop(
  meter,
  () => engine?.step(),
  (load) => send({ type: 'load', ...load }),
)

function send(message: FromRecognizer): void {
  process.send?.(message)
}

function receive(message: ToRecognizer | LoadMessage): void {
  switch (message.type) {
    case 'load':
      engine = loadRecognizer(message, message.companions, meter, {
        segment: (stream, segment, voice) => send({ type: 'segment', stream, segment, voice }),
        finalized: (stream) => send({ type: 'finalized', stream }),
        consumed: (stream, bytes) => send({ type: 'consumed', stream, bytes }),
      })
      return send({ type: 'loaded', ...loop.load })
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
  loop.wake()
})
