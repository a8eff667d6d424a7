import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { ServerProcess } from '../support/server-process.ts'

/** Time for the work after the start to finish. */
const SETTLE_MS = 3_000
const MEASURE_MS = 10_000

/** Processor time of a cloud without any load, which is mostly that of its metrics. */
export const idleProcess: Benchmark = {
  title: 'processor time of an idle process',
  async run() {
    const [bare, cloud] = await Promise.all([ServerProcess.start('bare'), ServerProcess.start('cloud')])
    await delay(SETTLE_MS)
    const idle = () => delay(MEASURE_MS)
    const micros = await Promise.all([bare.cpuMicros(idle), cloud.cpuMicros(idle)])
    await Promise.all([bare.stop(), cloud.stop()])
    const [bareMs, cloudMs] = micros.map((each) => each / MEASURE_MS) as [number, number]
    return [
      {
        name: 'processor time per second',
        value: cloudMs,
        unit: 'ms',
        detail: `bare ${formatNumber(bareMs)} ms`,
        aim: { atMost: 2 },
      },
    ]
  },
}
