import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { AuthenticatedTransport, FRAME_KINDS, MessageBus, RedisTransport } from '@glasses-cloud/cloud/bus'
import { createLog } from '@glasses-cloud/cloud/log'
import { systemClock } from '@glasses-cloud/cloud/time'
import { DirectTransport, portOf } from '../support/direct-transport.ts'
import { AUTH_SECRET } from '../support/tokens.ts'
import type { HopCommand, HopPath, HopSide } from './hop-commands.ts'

// One of two nodes that send audio to each other, on each path of the benchmark.

/** 20 ms of PCM. */
const FRAME_BYTES = 640
const FRAMES_PER_SECOND = 50

const log = createLog('silent')

const delays: number[] = []
let expected = Number.POSITIVE_INFINITY
let arrived = Promise.withResolvers<void>()

function received(frame: Buffer): void {
  delays.push(Number(process.hrtime.bigint() - frame.readBigUInt64BE(0)) / 1e6)
  if (delays.length === expected) arrived.resolve()
}

/** Opens a transport as nodes use it. */
async function openRedis(url: string | undefined, prefix: string): Promise<AuthenticatedTransport> {
  const redis = { urls: [url ?? ''], isCluster: false }
  const transport = await RedisTransport.open({ redis, prefix, clock: systemClock, log })
  return new AuthenticatedTransport(transport, {
    secrets: [AUTH_SECRET],
    cloud: prefix,
    clock: systemClock,
    log,
  })
}

const plain = await DirectTransport.listen(false)
const encrypted = await DirectTransport.listen(true)
const buses = {
  redis: new MessageBus(await openRedis(process.env.REDIS_URL, 'plain:')),
  'redis-tls': new MessageBus(await openRedis(process.env.REDIS_TLS_URL, 'encrypted:')),
  direct: new MessageBus(plain),
  'direct-tls': new MessageBus(encrypted),
}
for (const bus of Object.values(buses)) {
  bus.receive(FRAME_KINDS.relay, (_, frame) => received(frame))
  if (!bus.isConnected) await new Promise<void>((resolve) => bus.onConnectionChange(() => resolve()))
}

let bare: Socket | undefined
const server = createServer((socket) => {
  socket.setNoDelay(true)
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    const data = rest.byteLength > 0 ? Buffer.concat([rest, chunk]) : chunk
    let offset = 0
    for (; offset + FRAME_BYTES <= data.byteLength; offset += FRAME_BYTES)
      received(data.subarray(offset, offset + FRAME_BYTES))
    rest = data.subarray(offset)
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const own: HopSide = {
  nodeIds: {
    redis: buses.redis.nodeId,
    'redis-tls': buses['redis-tls'].nodeId,
    direct: buses.direct.nodeId,
    'direct-tls': buses['direct-tls'].nodeId,
  },
  ports: { bare: portOf(server), direct: plain.port, 'direct-tls': encrypted.port },
}
let other = own

function sendFrames(path: HopPath, sessions: number, seconds: number): Promise<void> {
  const perSecond = sessions * FRAMES_PER_SECOND
  const count = perSecond * seconds
  const startedAt = performance.now()
  const send = (frame: Buffer) => {
    if (path === 'bare') bare?.write(frame)
    else if (path !== 'none') buses[path].send(other.nodeIds[path], FRAME_KINDS.relay, frame)
  }
  let sent = 0
  return new Promise((resolve) => {
    const tick = () => {
      const due = Math.min(count, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000))
      bare?.cork()
      for (; sent < due; sent += 1) {
        const frame = Buffer.allocUnsafe(FRAME_BYTES)
        frame.writeBigUInt64BE(process.hrtime.bigint())
        send(frame)
      }
      bare?.uncork()
      if (sent < count) return
      clearInterval(timer)
      resolve()
    }
    const timer = setInterval(tick, Math.max(1, 1_000 / perSecond))
  })
}

async function run(command: HopCommand): Promise<unknown> {
  switch (command.command) {
    case 'meet':
      other = command.other
      await plain.connect(other.ports.direct)
      await encrypted.connect(other.ports['direct-tls'])
      bare = connect(other.ports.bare, '127.0.0.1').setNoDelay(true)
      await once(bare, 'connect')
      return
    case 'cpu': {
      const { user, system } = process.cpuUsage()
      return user + system
    }
    case 'send':
      return sendFrames(command.path, command.sessions, command.seconds)
    case 'expect':
      delays.length = 0
      expected = command.frames
      arrived = Promise.withResolvers()
      return
    case 'delays':
      await arrived.promise
      return delays
  }
}

process.on('message', (command: HopCommand) => {
  void run(command).then((result) => process.send?.({ result }))
})
process.on('disconnect', () => process.exit())
process.send?.({ result: own })
