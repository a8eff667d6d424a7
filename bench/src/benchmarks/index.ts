import type { Benchmark } from '../figure.ts'
import { capacity } from '../capacity/capacity.ts'
import { blobs } from './blobs.ts'
import { broadcast } from './broadcast.ts'
import { connectBurst, memory, nodeSessions } from './sessions.ts'
import { webConsole } from './console.ts'
import { consoleClicks } from './console-clicks.ts'
import { failover, nodes } from './nodes.ts'
import { heartbeat } from './heartbeat.ts'
import { hop } from './hop.ts'
import { idleConnections, idleProcess } from './idle.ts'
import { largeData, nodeRest, restLists } from './rest.ts'
import { lc3, relay } from './relay.ts'
import { localSpeech, speech } from './speech.ts'
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
