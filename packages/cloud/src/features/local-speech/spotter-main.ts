/**
 * A process that detects phrases with one keyword spotter model: the cloud starts it, sends audio and receives the phrases that were said
 * (`messages.ts`). It ends with the cloud.
 */
import { loadSpotter } from './load-spotter.ts'
import type { FromSpotter, ToSpotter } from './messages.ts'
import { type LoadMessage, runModelProgram } from './model-process.ts'
import type { SpottingEngine } from './spotting-engine.ts'
import { WorkLoop } from './work-loop.ts'
import { WorkMeter } from './work-meter.ts'

const meter = new WorkMeter()
let engine: SpottingEngine | undefined
const loop = new WorkLoop(
  meter,
  () => engine?.step(),
  (load) => send({ type: 'load', ...load }),
)

function send(message: FromSpotter): void {
  process.send?.(message)
}

function receive(message: ToSpotter | LoadMessage): void {
  switch (message.type) {
    case 'load':
      engine = loadSpotter(message, meter, {
        opened: (stream, unspelled) => send({ type: 'opened', stream, unspelled }),
        detected: (stream, phrase) => send({ type: 'detected', stream, phrase }),
        consumed: (stream, bytes) => send({ type: 'consumed', stream, bytes }),
      })
      return send({ type: 'loaded', ...loop.load })
    case 'open':
      return engine?.open(message.stream, message.phrases)
    case 'audio':
      return engine?.push(message.stream, message.pcm)
    case 'pause':
      return engine?.pause(message.stream)
    case 'close':
      return engine?.close(message.stream)
  }
}

runModelProgram<ToSpotter>((message) => {
  receive(message)
  loop.wake()
})
