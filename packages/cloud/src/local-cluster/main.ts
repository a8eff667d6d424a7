import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../http/free-port.ts'
import { onStopSignal } from '../stop-signals.ts'
import { startBalancer } from './balancer.ts'

const USAGE = `Usage: npm run cluster -- [NODES]
  Starts NODES (3 by default) nodes of one cloud on this machine, and a balancer in front of them at PORT (8080).
  Uses DATABASE_URL (postgres://postgres@127.0.0.1:5432/postgres) and REDIS_URL (redis://127.0.0.1:6379).`

/** The port of the first node for video; each node has its own. */
const FIRST_RTMP_PORT = 1935

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

const count = Number(process.argv[2] ?? 3)
if (!Number.isInteger(count) || count < 1 || count > 20) {
  console.error(USAGE)
  process.exit(2)
}
const port = Number(process.env.PORT ?? 8080)
const dataDir = resolve(process.env.DATA_DIR ?? './data')
await mkdir(dataDir, { recursive: true })

const env = {
  DATABASE_URL: 'postgres://postgres@127.0.0.1:5432/postgres',
  REDIS_URL: 'redis://127.0.0.1:6379',
  AUTH_SECRET: 'a secret for trying out a cluster on one machine',
  PUBLIC_URL: `http://localhost:${port}`,
  SHARED_DATA_DIR: 'true',
  // The balancer checks each node several times a second, and every request is a line.
  LOG_LEVEL: 'warn',
  ...process.env,
  DATA_DIR: dataDir,
}

const children: ChildProcess[] = []
const urls: string[] = []
let isStopping = false

for (let index = 0; index < count; index += 1) {
  const nodePort = await findFreePort()
  const child = spawn(process.execPath, [...process.execArgv, main], {
    env: {
      ...env,
      PORT: String(nodePort),
      NODE_NAME: `node-${index + 1}`,
      RTMP_PORT: String(FIRST_RTMP_PORT + index),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  child.on('exit', (code) => {
    if (isStopping) return
    console.error(`node-${index + 1} exited with ${code}`)
    if (children.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null))
      process.exit(1)
  })
  // Nodes start one after another: the first one migrates the database.
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  const url = `http://127.0.0.1:${nodePort}`
  urls.push(url)
  console.log(`node-${index + 1} at ${url}, process ${child.pid}`)
}

const balancer = await startBalancer(urls, port)
console.log(`The balancer is at ${balancer.url}`)

onStopSignal(async () => {
  isStopping = true
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    }),
  )
  await balancer.close()
  process.exit(0)
})
