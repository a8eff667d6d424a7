import { EventEmitter } from '#events'
import type { Clock } from './clock.ts'
import { waitUntil } from './messages/message-history.ts'
import type { CloudMessage, PhoneEvents } from './phone-events.ts'

/**
 * Opens a connection and waits for its acknowledgement.
 * @param open starts to connect
 * @throws {Error} if the cloud rejects the connection, or at the deadline with the last error
 */
export async function awaitAcknowledgement(
  phone: EventEmitter<PhoneEvents>,
  open: () => void,
  wait: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<CloudMessage<'connection_ack'>> {
  const progress = new EventEmitter<{ step: [] }>()
  let lastError = 'no response'
  let isRejected = false
  let ack: CloudMessage<'connection_ack'> | undefined
  const onAck = (...[message]: PhoneEvents['ack']) => {
    ack = message
    progress.emit('step')
  }
  const onError = (...[error]: PhoneEvents['error']) => {
    lastError = error.message || String(error)
  }
  const onClose = (...[info]: PhoneEvents['close']) => {
    if (info.reason) lastError = info.reason
    isRejected = !info.willReconnect
    progress.emit('step')
  }
  phone.on('ack', onAck).on('error', onError).on('close', onClose)
  open()
  try {
    return await waitUntil({
      emitter: progress,
      event: 'step',
      check: () => {
        if (isRejected) throw new Error(`Could not connect: ${lastError}`)
        return ack
      },
      ...wait,
      describe: () => `the cloud to acknowledge the connection; last error: ${lastError}`,
    })
  } finally {
    phone.off('ack', onAck).off('error', onError).off('close', onClose)
  }
}
