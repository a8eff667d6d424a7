import type { Benchmark } from '../figure.ts'

/** The benchmarks by name on the command line, in the order in which they run. Only what runs is loaded. */
export const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  start: async () => (await import('./start.ts')).start,
  'idle-process': async () => (await import('./idle.ts')).idleProcess,
  'rest-lists': async () => (await import('./rest.ts')).restLists,
  'large-data': async () => (await import('./rest.ts')).largeData,
  relay: async () => (await import('./relay.ts')).relay,
  lc3: async () => (await import('./relay.ts')).lc3,
  speech: async () => (await import('./speech.ts')).speech,
  'local-speech': async () => (await import('./speech.ts')).localSpeech,
  'connect-burst': async () => (await import('./sessions.ts')).connectBurst,
  memory: async () => (await import('./sessions.ts')).memory,
  'idle-connections': async () => (await import('./idle.ts')).idleConnections,
  streams: async () => (await import('./streams.ts')).streams,
  console: async () => (await import('./console.ts')).webConsole,
  nodes: async () => (await import('./nodes.ts')).nodes,
  'node-sessions': async () => (await import('./sessions.ts')).nodeSessions,
  'node-rest': async () => (await import('./rest.ts')).nodeRest,
  failover: async () => (await import('./nodes.ts')).failover,
  blobs: async () => (await import('./blobs.ts')).blobs,
  capacity: async () => (await import('../capacity/capacity.ts')).capacity,
}
