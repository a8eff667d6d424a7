import type { NodeEventKind } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import type { BackgroundJob } from '../../feature.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import { type Cluster, nodeIdOf } from '../../nodes/index.ts'
import type { Clock } from '../../time/index.ts'
import type { NodeEventStore } from './node-event-store.ts'

/** Interval in which a node looks for others that are gone. */
const INTERVAL_MS = 5_000

export interface NodeEventRecorderDeps {
  readonly store: NodeEventStore
  /** Undefined if this is the only node. */
  readonly cluster: { readonly nodes: Pick<Cluster['nodes'], 'list' | 'isAlive'> } | undefined
  readonly clock: Clock
  readonly log: Logger
  /** Name of this node. */
  readonly node: string
  readonly version: string
}

/** The part of a live node that events name. */
type SeenNode = ReturnType<Cluster['nodes']['list']>[number]

/** The job that records what happens to this node, and which others are lost. */
export interface NodeEventRecorder extends BackgroundJob {
  /** Records that this node hands its sessions over. */
  draining(): void
  /** Records that this node has stopped, after everything before is stored. */
  stopped(): Promise<void>
  /** Resolves once nothing is being recorded. */
  idle(): Promise<void>
}

/**
 * Records the starts and stops of this node. A node that ended without stopping is found by the others, each of which
 * would record the same event; the only node finds it when it starts again.
 */
export function createNodeEventRecorder(deps: NodeEventRecorderDeps): NodeEventRecorder {
  const { store, cluster, clock, log, node, version } = deps
  let seen: ReadonlyMap<string, SeenNode> = new Map()
  let writing: Promise<void> = Promise.resolve()
  /** Events are stored one after another. */
  const write = (task: () => Promise<void>): Promise<void> => {
    writing = writing
      .then(task)
      .catch((err: unknown) =>
        log.error({ err }, 'administration: an event of this node could not be stored'),
      )
    return writing
  }
  const add = (kind: NodeEventKind, at = clock.now()) => store.add({ at, node, kind, version })
  /** Records the time of the call, not that of the write. */
  const record = (kind: NodeEventKind) => {
    const at = clock.now()
    return write(() => add(kind, at))
  }

  const recordStart = async () => {
    const [last, own] = await Promise.all([store.findLast(), store.findLast(node)])
    // The name of a node contains its process id by default, so that another start of the only node has another name.
    const before = cluster === undefined ? last : own
    if (before !== undefined && before.kind !== 'stopped' && before.kind !== 'lost')
      await store.add({ at: clock.now() - 1, node: before.node, kind: 'lost', version: before.version })
    // During a rolling update, the latest event may be that of a node with another version.
    const earlier = own ?? last
    const isNewVersion = earlier !== undefined && earlier.version !== version
    await add(isNewVersion ? 'deployed' : before === undefined ? 'started' : 'restarted')
    await store.trim(clock.now())
  }

  const recordLost = async () => {
    if (cluster === undefined) return
    const current = new Map(cluster.nodes.list().map((each) => [nodeIdOf(each.holder), each]))
    const before = seen
    seen = current
    for (const [id, gone] of before) {
      // A node that starts again under its name records the end before itself.
      if (current.has(id) || [...current.values()].some(({ name }) => name === gone.name)) continue
      // The list is empty for a moment if Redis has lost its data.
      if (await cluster.nodes.isAlive(gone.holder)) {
        current.set(id, gone)
        continue
      }
      const last = await store.findLast(gone.name)
      if (last === undefined || last.kind === 'stopped' || last.kind === 'lost') continue
      await store.add({ at: clock.now(), node: gone.name, kind: 'lost', version: gone.version }, `lost ${id}`)
    }
  }

  const task = new PeriodicTask({
    clock,
    everyMs: INTERVAL_MS,
    run: () => write(recordLost),
    failed: (err) => log.error({ err }, 'administration: lost nodes could not be found'),
  })
  return {
    start(countFailure?: () => void) {
      void write(recordStart)
      if (cluster !== undefined) task.start(countFailure)
    },
    stop: () => task.stop(),
    draining: () => void record('draining'),
    stopped: () => record('stopped'),
    idle: () => writing,
  }
}
