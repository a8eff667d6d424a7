import type { Benchmark } from '../benchmark.ts'
import { capacity } from '../capacity/capacity.ts'
import { blobs } from './blobs.ts'
import { broadcast } from './broadcast.ts'
import { connectBurst } from './connect-burst.ts'
import { webConsole } from './console.ts'
import { consoleClicks } from './console-clicks.ts'
import { failover } from './failover.ts'
import { heartbeat } from './heartbeat.ts'
import { hop } from './hop.ts'
import { idleConnections } from './idle-connections.ts'
import { idleProcess } from './idle-process.ts'
import { largeData } from './large-data.ts'
import { lc3 } from './lc3.ts'
import { localSpeech } from './local-speech.ts'
import { memory } from './memory.ts'
import { nodeRest } from './node-rest.ts'
import { nodeSessions } from './node-sessions.ts'
import { nodes } from './nodes.ts'
import { relay } from './relay.ts'
import { restLists } from './rest-lists.ts'
import { speech } from './speech.ts'
import { start } from './start.ts'
import { streams } from './streams.ts'

/** The benchmarks by name on the command line, in the order in which they run. */
export const benchmarks: Readonly<Record<string, Benchmark>> = {
  start,
  'idle-process': idleProcess,
  'rest-lists': restLists,
  'large-data': largeData,
  relay,
  lc3,
  speech,
  'local-speech': localSpeech,
  broadcast,
  'connect-burst': connectBurst,
  memory,
  heartbeat,
  'idle-connections': idleConnections,
  streams,
  console: webConsole,
  'console-clicks': consoleClicks,
  nodes,
  hop,
  'node-sessions': nodeSessions,
  'node-rest': nodeRest,
  failover,
  blobs,
  capacity,
}
