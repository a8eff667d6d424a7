import { EventEmitter } from 'node:events'
import type { Clock } from './clock.ts'
import type { FromCloud, GlassesEvents } from './glasses-events.ts'
import { waitUntil } from './messages/wait-until.ts'

/**
 * Waits for the acknowledgement of a connection that is about to be opened.
 * @param open begins to connect
 * @throws an Error with the cloud's reason when it refuses for good, or with the last trouble when time is up
 */
export async function awaitAcknowledgement(
  glasses: EventEmitter<GlassesEvents>,
  open: () => void,
  wait: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<FromCloud<'connection_ack'>> {
  const progress = new EventEmitter<{ step: [] }>()
  let trouble = 'no answer'
  let refused = false
  let ack: FromCloud<'connection_ack'> | undefined
  const onAck = (...[message]: GlassesEvents['ack']) => {
    ack = message
    progress.emit('step')
  }
  const onError = (...[error]: GlassesEvents['error']) => {
    trouble = error.message || String(error)
  }
  const onClose = (...[info]: GlassesEvents['close']) => {
    if (info.reason) trouble = info.reason
    refused = !info.willReconnect
    progress.emit('step')
  }
  glasses.on('ack', onAck).on('error', onError).on('close', onClose)
  open()
  try {
    return await waitUntil({
      emitter: progress,
      event: 'step',
      check: () => {
        if (refused) throw new Error(`Could not connect: ${trouble}`)
        return ack
      },
      ...wait,
      describe: () => `the cloud to acknowledge the connection; last trouble: ${trouble}`,
    })
  } finally {
    glasses.off('ack', onAck).off('error', onError).off('close', onClose)
  }
}
