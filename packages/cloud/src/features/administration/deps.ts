import type { Finding } from '@glasses-cloud/contract'
import type { Config } from '../../config/index.ts'
import type { ChangeFeed } from '../../db/index.ts'
import type { CurrentUserDeps } from '../../http/auth/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { AppStore } from '../catalogue/index.ts'
import type { ReviewStore } from '../developer/index.ts'
import type { IncidentStore, Incidents } from '../incidents/index.ts'
import type { Deletions } from '../personal-data/index.ts'
import type { PhoneReportStore } from '../phone/index.ts'
import type { AdminStore } from './admin-store.ts'
import type { Audit } from './audit.ts'
import type { AuditStore } from './audit-store.ts'
import type { NodeList } from './node-list.ts'
import type { NodeSampleStore } from './node-sample-store.ts'
import type { SessionList } from './session-list.ts'

/** Collaborators of the endpoints of this feature. */
export interface AdministrationEndpointDeps extends CurrentUserDeps {
  readonly config: Config
  readonly changes: ChangeFeed
  readonly apps: AppStore
  readonly reviews: ReviewStore
  readonly sessions: SessionDirectory
  readonly deletions: Pick<Deletions, 'delete'>
  readonly reports: PhoneReportStore
  readonly incidents: IncidentStore
  readonly incidentFiles: Pick<Incidents, 'openForAdministrator'>
  readonly store: AdminStore
  readonly audit: Audit
  readonly auditStore: AuditStore
  readonly sessionList: SessionList
  readonly nodes: NodeList
  readonly samples: NodeSampleStore
  /** Aborts when the cloud shuts down. */
  readonly signal: AbortSignal
  /** Checks every configured part. */
  readonly checks: () => Promise<Finding[]>
  /** Epoch ms. */
  readonly now: () => number
}
