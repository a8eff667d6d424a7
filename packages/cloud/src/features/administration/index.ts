import type { Finding } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { aboutCloud, type Config } from '../../config/index.ts'
import type { ChangeFeed, Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { AccessWatch, UserStore } from '../../identity/index.ts'
import type { Cluster } from '../../nodes/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'
import type { Audit } from '../audit/index.ts'
import type { AppStore } from '../catalogue/index.ts'
import type { ReviewStore } from '../developer/index.ts'
import { IncidentStore, type Incidents } from '../incidents/index.ts'
import type { Deletions } from '../personal-data/index.ts'
import { PhoneReportStore } from '../phone/index.ts'
import { AdminStore } from './admin-store.ts'
import { liveEndpoints } from './live-endpoints.ts'
import { NodeList, SessionList } from './live-state.ts'
import { streamLive } from './live-stream.ts'
import { createNodeEventRecorder } from './node-event-recorder.ts'
import { NodeEventStore } from './node-event-store.ts'
import { NodeSampleStore } from './node-sample-store.ts'
import { createNodeSampler } from './node-sampler.ts'
import { listChecks, operationEndpoints } from './operation-endpoints.ts'
import { reviewEndpoints } from './review-endpoints.ts'
import { userEndpoints } from './user-endpoints.ts'

export interface AdministrationDeps {
  readonly access: AccessWatch
  readonly clock: Clock
  readonly users: UserStore
  readonly db: Database
  readonly changes: ChangeFeed
  readonly config: Config
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  readonly apps: AppStore
  readonly reviews: ReviewStore
  readonly sessions: SessionDirectory
  readonly deletions: Pick<Deletions, 'delete'>
  readonly incidentFiles: Pick<Incidents, 'openForAdministrator'>
  readonly audit: Audit
  readonly metrics: Metrics
  readonly log: Logger
  /** Undefined if this is the only node. */
  readonly cluster: Cluster | undefined
  /** Aborts when the cloud shuts down. */
  readonly signal: AbortSignal
  /** Live sessions of this node. */
  readonly liveSessions: () => number
  /** Checks every configured part. */
  readonly checks: () => Promise<Finding[]>
  /** Epoch ms. */
  readonly now: () => number
}

/** The administration of the cloud, under `/api/admin`. */
export function createAdministration(deps: AdministrationDeps): Feature {
  const { db } = deps
  const store = new AdminStore(db)
  const samples = new NodeSampleStore(db)
  const { name } = deps.config.node
  const { version } = aboutCloud(deps.config)
  const nodes = new NodeList({ ...deps, name, version })
  const events = new NodeEventStore(db)
  const recorder = createNodeEventRecorder({ ...deps, store: events, node: name, version })
  const endpointDeps = {
    ...deps,
    store,
    samples,
    events,
    nodes,
    sessionList: new SessionList({ store, nodes, sessions: deps.sessions }),
    reports: new PhoneReportStore(db),
    incidents: new IncidentStore(db),
  }
  return {
    name: 'administration',
    endpoints: [
      ...userEndpoints(endpointDeps),
      ...reviewEndpoints(endpointDeps),
      ...liveEndpoints(endpointDeps),
      streamLive(endpointDeps),
      listChecks(endpointDeps),
      ...operationEndpoints(endpointDeps),
    ],
    jobs: [createNodeSampler({ ...deps, store: samples, node: name }), recorder],
    // Without other nodes, there is none to hand sessions over to.
    ...(deps.cluster && { stop: recorder.draining }),
    close: recorder.stopped,
  }
}
