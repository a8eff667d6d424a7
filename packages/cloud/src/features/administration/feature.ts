import type { Finding } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { aboutCloud, type Config } from '../../config/index.ts'
import type { ChangeFeed, Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { CurrentUserDeps } from '../../http/auth/index.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { Cluster } from '../../nodes/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { AppStore } from '../catalogue/index.ts'
import type { ReviewStore } from '../developer/index.ts'
import { IncidentStore, type Incidents } from '../incidents/index.ts'
import type { Deletions } from '../personal-data/index.ts'
import { PhoneReportStore } from '../phone/index.ts'
import { AdminStore } from './admin-store.ts'
import { approveApp } from './approve-app.ts'
import { Audit } from './audit.ts'
import { AuditStore } from './audit-store.ts'
import { deleteUser } from './delete-user.ts'
import { endSession } from './end-session.ts'
import { getIncidentFile } from './get-incident-file.ts'
import { getSettings } from './get-settings.ts'
import { listAudit } from './list-audit.ts'
import { listChecks } from './list-checks.ts'
import { listNodes } from './list-nodes.ts'
import { listIncidents, listReports } from './list-reports.ts'
import { listReview } from './list-review.ts'
import { listSamples } from './list-samples.ts'
import { listSessions } from './list-sessions.ts'
import { listSystemApps } from './list-system-apps.ts'
import { listUsers } from './list-users.ts'
import { NodeList } from './node-list.ts'
import { NodeSampleStore } from './node-sample-store.ts'
import { createNodeSampler } from './node-sampler.ts'
import { reinstateUser } from './reinstate-user.ts'
import { rejectApp } from './reject-app.ts'
import { SessionList } from './session-list.ts'
import { setAdministrator } from './set-administrator.ts'
import { streamLive } from './stream-live.ts'
import { suspendUser } from './suspend-user.ts'

/** Collaborators of the administration. */
export interface AdministrationDeps extends CurrentUserDeps {
  readonly db: Database
  readonly changes: ChangeFeed
  readonly config: Config
  readonly apps: AppStore
  readonly reviews: ReviewStore
  readonly sessions: SessionDirectory
  readonly deletions: Pick<Deletions, 'delete'>
  readonly incidentFiles: Pick<Incidents, 'openForAdministrator'>
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
  const { db, now } = deps
  const auditStore = new AuditStore(db)
  const store = new AdminStore(db)
  const samples = new NodeSampleStore(db)
  const { name } = deps.config.node
  const nodes = new NodeList({ ...deps, name, version: aboutCloud(deps.config).version })
  const endpointDeps = {
    ...deps,
    store,
    samples,
    nodes,
    sessionList: new SessionList({ store, nodes, sessions: deps.sessions }),
    reports: new PhoneReportStore(db),
    incidents: new IncidentStore(db),
    auditStore,
    audit: new Audit(auditStore, now),
  }
  return {
    name: 'administration',
    endpoints: [
      listUsers(endpointDeps),
      suspendUser(endpointDeps),
      reinstateUser(endpointDeps),
      setAdministrator(endpointDeps),
      deleteUser(endpointDeps),
      listReview(endpointDeps),
      approveApp(endpointDeps),
      rejectApp(endpointDeps),
      listSessions(endpointDeps),
      endSession(endpointDeps),
      streamLive(endpointDeps),
      listNodes(endpointDeps),
      listSamples(endpointDeps),
      listChecks(endpointDeps),
      listReports(endpointDeps),
      listIncidents(endpointDeps),
      getIncidentFile(endpointDeps),
      listSystemApps(endpointDeps),
      getSettings(endpointDeps),
      listAudit(endpointDeps),
    ],
    jobs: [createNodeSampler({ ...deps, store: samples, node: name })],
  }
}
