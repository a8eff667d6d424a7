import { once } from 'node:events'
import { WebSocket } from 'ws'

// A process that opens sockets and keeps them open, so that their pings do not delay the measuring process.

/** A request to open sockets, `concurrency` at a time; answered with the number of open sockets. */
export interface OpenSockets {
  readonly targets: readonly { readonly url: string; readonly headers?: Record<string, string> }[]
  readonly concurrency: number
}

let open = 0

async function openSocket({ url, headers }: OpenSockets['targets'][number]): Promise<void> {
  const ws = new WebSocket(url, { perMessageDeflate: false, ...(headers && { headers }) })
  // The first message is the acknowledgement of the server.
  await once(ws, 'message')
  open += 1
  ws.on('error', () => {})
  ws.on('close', () => {
    open -= 1
  })
}

process.on('message', async ({ targets, concurrency }: OpenSockets) => {
  let next = 0
  const worker = async () => {
    for (let target = targets[next++]; target; target = targets[next++]) await openSocket(target)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  process.send?.({ open })
})
process.send?.({ open })
