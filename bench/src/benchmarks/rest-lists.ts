import type { Benchmark } from '../benchmark.ts'
import { type Figure, formatNumber } from '../figure.ts'
import { median } from '../statistics.ts'
import { RestClient } from '../support/rest-client.ts'
import { ServerProcess } from '../support/server-process.ts'
import { signToken } from '../support/tokens.ts'

const REQUESTS = 1_000
/** Rounds that are not measured: V8 optimizes most code of a request within the first thousands. */
const WARM_UP_ROUNDS = 3
const ROUNDS = 5

/** App lists with 50 apps and a user who installed none, against `node:http` with the same bytes. */
export const restLists: Benchmark = {
  title: 'app lists over REST, 50 apps, processor time per request',
  async run() {
    const bare = await ServerProcess.start('bare')
    const cloud = await ServerProcess.start('cloud')
    await cloud.run({ command: 'seed', counts: { apps: 50, users: 1, installs: 0, photos: 0 } })
    const figures: Figure[] = []
    for (const path of ['/api/apps/public', '/api/apps']) figures.push(await measure(path, bare, cloud))
    await bare.stop()
    await cloud.stop()
    return figures
  },
}

async function measure(path: string, bare: ServerProcess, cloud: ServerProcess): Promise<Figure> {
  const token = signToken('user0@bench.example')
  const cloudClient = new RestClient(cloud.port, { token })
  const bareClient = new RestClient(bare.port, { token })
  const { body, contentType } = await cloudClient.getOk(path)
  await bare.run({ command: 'serve', path, body, contentType })
  const bareMicros: number[] = []
  const cloudMicros: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const bareRound = await bare.cpuMicros(() => bareClient.load(path, REQUESTS))
    const cloudRound = await cloud.cpuMicros(() => cloudClient.load(path, REQUESTS))
    if (round < WARM_UP_ROUNDS) continue
    bareMicros.push(bareRound / REQUESTS)
    cloudMicros.push(cloudRound / REQUESTS)
  }
  bareClient.close()
  cloudClient.close()
  const [base, value] = [median(bareMicros), median(cloudMicros)]
  return {
    name: `GET ${path}`,
    value: base / value,
    unit: 'of bare node:http',
    detail: `${formatNumber(value)} against ${formatNumber(base)} µs, ${body.length} bytes`,
    aim: { atLeast: 0.9 },
  }
}
