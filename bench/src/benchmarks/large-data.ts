import type { Benchmark } from '../benchmark.ts'
import { type Figure, formatNumber } from '../figure.ts'
import { RestClient } from '../support/rest-client.ts'
import { ServerProcess } from '../support/server-process.ts'
import { signToken } from '../support/tokens.ts'

const COUNTS = { apps: 10_000, users: 50_000, installs: 100_000, photos: 100_000 }
/** The smallest block of these rounds counts: other load of the machine only lengthens it. */
const ROUNDS = 5

const PATHS = [
  '/api/apps/public',
  '/api/apps',
  '/api/apps/installed',
  '/api/apps/available',
  '/api/apps?limit=50',
  '/api/apps/search?q=weather',
  '/api/apps/search?q=nothing',
  '/api/gallery',
  '/api/gallery?limit=20',
]

/** Longest block of the event loop by one request on a large database. */
export const largeData: Benchmark = {
  title: '10,000 apps, 50,000 users, 100,000 installs and photos: longest event-loop block by one request',
  async run() {
    const bare = await ServerProcess.start('bare')
    const cloud = await ServerProcess.start('cloud')
    await cloud.run({ command: 'seed', counts: COUNTS })
    const figures: Figure[] = []
    for (const path of PATHS) figures.push(await measure(path, bare, cloud))
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
  const bareMs: number[] = []
  const cloudMs: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    bareMs.push(await bare.longestBlockMs(() => bareClient.getOk(path)))
    cloudMs.push(await cloud.longestBlockMs(() => cloudClient.getOk(path)))
  }
  bareClient.close()
  cloudClient.close()
  const [base, value] = [Math.min(...bareMs), Math.min(...cloudMs)]
  return {
    name: `GET ${path}`,
    value,
    unit: 'ms',
    detail: `${formatNumber(value / base)} × bare node:http with the same ${body.length} bytes`,
    aim: { atMost: 10 },
  }
}
