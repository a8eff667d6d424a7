import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { median } from '../statistics.ts'
import { IdleClient } from '../support/idle-client.ts'
import { ServerProcess } from '../support/server-process.ts'

const CONNECTIONS = 500
const ROUNDS = 3

/** Time until 500 glasses that connect simultaneously have their acknowledgement. */
export const connectBurst: Benchmark = {
  title: `${CONNECTIONS} glasses connecting simultaneously`,
  async run() {
    const bareMs: number[] = []
    const cloudMs: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      bareMs.push(await burstMs('bare'))
      cloudMs.push(await burstMs('cloud'))
    }
    const [bare, cloud] = [median(bareMs), median(cloudMs)]
    return [
      {
        name: 'time until all are acknowledged',
        value: cloud / bare,
        unit: '× bare ws',
        detail: `${formatNumber(cloud)} against ${formatNumber(bare)} ms`,
        aim: { atMost: 1.3 },
      },
    ]
  },
}

async function burstMs(kind: 'bare' | 'cloud'): Promise<number> {
  const server = await ServerProcess.start(kind)
  const client = await IdleClient.start()
  // Users exist and code is compiled, as after a restart of a running cloud.
  await client.open(server, kind, { count: CONNECTIONS })
  client.stop()
  const burst = await IdleClient.start()
  const startedAt = performance.now()
  await burst.open(server, kind, { count: CONNECTIONS, concurrency: CONNECTIONS })
  const elapsedMs = performance.now() - startedAt
  burst.stop()
  await server.stop()
  return elapsedMs
}
