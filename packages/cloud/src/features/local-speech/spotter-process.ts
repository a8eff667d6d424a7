import type { WakeWordListener, WakeWordStream } from '../../session/index.ts'
import type { FromSpotter, ToSpotter } from './messages.ts'
import type { ModelProcessOptions } from './model-process.ts'
import { type ForStream, StreamsProcess } from './process-streams.ts'

interface SpottedStream {
  readonly listener: WakeWordListener
}

/** A process that detects phrases with one model (`spotter-main.ts`), and its streams. */
export class SpotterProcess extends StreamsProcess<ToSpotter, FromSpotter, SpottedStream> {
  constructor(options: ModelProcessOptions) {
    super('spotter-main', options)
  }

  /** Opens a stream, once the model is loaded. */
  open(phrases: readonly string[], listener: WakeWordListener): WakeWordStream {
    const opened = this.streams.add({ listener })
    const { id, push, close } = opened
    this.send({ type: 'open', stream: id, phrases })
    return {
      push,
      pause: () => {
        if (opened.isOpen) this.send({ type: 'pause', stream: id })
      },
      close,
    }
  }

  protected override receiveForStream(message: ForStream<FromSpotter>, { listener }: SpottedStream): void {
    if (message.type === 'opened') listener.ready(message.unspelled)
    else listener.detected(message.phrase)
  }
}
