import { constants, setPriority } from 'node:os'
import type { LoadMessage, PingMessage, ProgramMessage } from './model-process.ts'

/**
 * Runs the program of a model process: receives the messages of the cloud, answers whether it works, and ends with the
 * cloud or when a message cannot be processed.
 * @param receive processes a message; an error that it throws is reported
 */
export function runModelProgram<Message extends { readonly type: string }>(
  receive: (message: Message | LoadMessage) => void,
): void {
  // Button presses and displays of the cloud come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  process.on('disconnect', () => process.exit())
  // A terminal sends these to all processes of the cloud, which then decides.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const send = (message: ProgramMessage) => process.send?.(message)
  process.on('message', (message: Message | LoadMessage | PingMessage) => {
    if (isPing(message)) return void send({ type: 'pong' })
    try {
      receive(message)
    } catch (error) {
      send({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
      process.disconnect?.()
    }
  })
}

function isPing(message: { readonly type: string }): message is PingMessage {
  return message.type === 'ping'
}
