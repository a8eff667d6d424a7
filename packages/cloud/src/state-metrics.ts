import type { Bus } from './bus/index.ts'
import { aboutCloud, type Config } from './config/index.ts'
import type { LabeledValue, Metrics } from './http/metrics.ts'
import type { Readiness } from './http/readiness.ts'
import type { Cluster } from './nodes/index.ts'

/** The parts whose state is measured. */
interface StateMetricsDeps {
  readonly config: Config
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly bus: Bus
  /** Undefined if this is the only node. */
  readonly cluster: Cluster | undefined
}

/** Measures the state of this node: its version, whether it is ready, and its place in the cluster. */
export function addStateMetrics({ config, metrics, readiness, bus, cluster }: StateMetricsDeps): void {
  const { version } = aboutCloud(config)
  const database = config.data.databaseUrl === undefined ? 'sqlite' : 'postgres'
  metrics.gauges('cloud_info', 'Always 1; the labels describe the node', ['version', 'database'], () => [
    [{ version, database }, 1],
  ])
  metrics.gauge('cloud_ready', 'Whether the node has started and is not stopping', () =>
    readiness.isReady ? 1 : 0,
  )
  metrics.gauges(
    'cloud_check_ok',
    'Whether a part that requests need works; otherwise /readyz responds with 503',
    ['check'],
    async () =>
      [...(await readiness.check())].map(
        ([check, problem]): LabeledValue<'check'> => [{ check }, problem === undefined ? 1 : 0],
      ),
  )
  if (cluster) addClusterMetrics(metrics, bus, cluster)
}

function addClusterMetrics(metrics: Metrics, bus: Bus, { lease, nodes }: Cluster): void {
  metrics.gauge('redis_connected', 'Whether messages reach other nodes over Redis', () =>
    bus.isConnected ? 1 : 0,
  )
  const disconnections = metrics.counter('redis_disconnections_total', 'Lost connections to Redis')
  bus.onConnectionChange((isConnected) => isConnected || disconnections.inc())
  const lost = metrics.counter('cluster_nodes_lost_total', 'Nodes that this node could no longer reach')
  bus.onNodeLost(() => lost.inc())
  metrics.gauge(
    'cluster_nodes',
    'Nodes with a valid lease, as this node sees them',
    () => nodes.list().length,
  )
  metrics.gauge('cluster_lease_valid', 'Whether this node may act for its sessions', () =>
    lease.isValid() ? 1 : 0,
  )
  metrics.gauges(
    'cluster_lease_renewable',
    'Whether the lease is renewed in a place; it is valid while one of them works',
    ['place'],
    () => lease.places.map(({ name: place, isFailing }) => [{ place }, isFailing ? 0 : 1]),
  )
  metrics.counterFrom(
    'cluster_lease_lapses_total',
    'How often the lease lapsed, after which all sessions of the node were abandoned',
    () => lease.lapses,
  )
}
