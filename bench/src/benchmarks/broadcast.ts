import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { measureButtonLatency } from '../support/button-latency.ts'
import { closePairs, connectCloudPairs, type Pair } from '../support/pairs.ts'
import { ServerProcess } from '../support/server-process.ts'

const USERS = 200
const PAYLOAD_BYTES = 60 * 1024
const PRESSES = { count: 250, intervalMs: 20 }

/** A message of that size counts as two; the limit is 50 messages per second. */
const BROADCAST_INTERVAL_MS = 40

/** Delay of one user's button presses while another user sends large broadcasts to all users of an app. */
export const broadcast: Benchmark = {
  title: `broadcasts of ${PAYLOAD_BYTES / 1024} KiB to ${USERS} users`,
  async run() {
    const server = await ServerProcess.start('cloud')
    const pairs = await connectCloudPairs(server, USERS, { streams: ['button_press'] })
    const [sender, other] = pairs
    if (!sender || !other) throw new Error('No pairs are connected')
    const quietMs = await measureButtonLatency(other, PRESSES)
    const stopBroadcasts = startBroadcasts(sender)
    const busyMs = await measureButtonLatency(other, PRESSES)
    stopBroadcasts()
    closePairs(pairs)
    await server.stop()
    return [
      {
        name: 'button press of another user, 99th percentile',
        value: busyMs,
        unit: 'ms',
        detail: `without broadcasts: ${formatNumber(quietMs)} ms; the load runs on the same machine`,
        aim: { atMost: 100 },
      },
    ]
  },
}

function startBroadcasts({ app }: Pair): () => void {
  const payload = 'x'.repeat(PAYLOAD_BYTES)
  let sent = 0
  const timer = setInterval(() => {
    sent += 1
    app.send(JSON.stringify({ type: 'app_broadcast_message', messageId: `m${sent}`, payload }))
  }, BROADCAST_INTERVAL_MS)
  return () => clearInterval(timer)
}
