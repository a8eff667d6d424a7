/**
 * `npm run console`: serves the console from its sources and updates open pages when a source changes. Requests to the
 * cloud are forwarded to the one at GLASSES_CLOUD_URL, to one that is running on this machine, or to one that it starts.
 */
import { createServer } from 'vite'
import { type StartedCloud, startCloud } from './start-cloud.ts'

const { GLASSES_CLOUD_URL, PORT = '8080' } = process.env
const LOCAL_URL = `http://127.0.0.1:${PORT}`

/** Whether a cloud serves at an address. */
async function isServing(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined)
  return response?.ok === true
}

let cloud: StartedCloud | undefined
if (GLASSES_CLOUD_URL === undefined && !(await isServing(LOCAL_URL)))
  cloud = await startCloud(process.env, (line) => console.log(line))

// The configuration of Vite reads it.
process.env.GLASSES_CLOUD_URL ??= cloud?.url ?? LOCAL_URL
const server = await createServer({ configFile: `${import.meta.dirname}/vite.config.ts` })
await server.listen()
console.log(`The console, with the cloud at ${process.env.GLASSES_CLOUD_URL}:`)
server.printUrls()

async function stop(): Promise<void> {
  await Promise.all([server.close(), cloud?.[Symbol.asyncDispose]()])
  process.exit()
}
process.once('SIGINT', () => void stop())
process.once('SIGTERM', () => void stop())
cloud?.child.once('exit', () => void stop())
