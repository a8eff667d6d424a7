import { initial } from './0001-initial.ts'
import { account } from './0002-account.ts'
import { gallery } from './0003-gallery.ts'
import { simpleStorage } from './0004-simple-storage.ts'
import { phone } from './0005-phone.ts'
import { incidents } from './0006-incidents.ts'
import { changeLog } from './0007-change-log.ts'
import { photoDeliveries } from './0008-photo-deliveries.ts'
import { galleryUsage } from './0009-gallery-usage.ts'
import { dropSearchColumns } from './0010-drop-search-columns.ts'
import { jobRuns } from './0011-job-runs.ts'
import { administrators } from './0012-administrators.ts'
import { organizationInvitations } from './0013-organization-invitations.ts'
import { nodes } from './0014-nodes.ts'
import { accounts } from './0015-accounts.ts'
import { developerApi } from './0016-developer-api.ts'
import { appChannels } from './0017-app-channels.ts'
import { streamInputs } from './0018-stream-inputs.ts'
import { appLog } from './0019-app-log.ts'
import { liveStreams } from './0020-live-streams.ts'
import { auditLog } from './0021-audit-log.ts'
import { outputPlaces } from './0022-output-places.ts'
import { passkeys } from './0023-passkeys.ts'
import { nodeSamples } from './0024-node-samples.ts'
import { deviceLogins } from './0025-device-logins.ts'
import { lastUse } from './0026-last-use.ts'
import { appActivity } from './0027-app-activity.ts'
import { signingKeys } from './0028-signing-keys.ts'
import { signIn } from './0029-sign-in.ts'
import { personalTokenChanges } from './0030-personal-token-changes.ts'
import { speechUsage } from './0031-speech-usage.ts'
import { diskUse } from './0032-disk-use.ts'
import { approvedLogins } from './0033-approved-logins.ts'
import { confirmedAddresses } from './0034-confirmed-addresses.ts'
import { permissionAcceptances } from './0035-permission-acceptances.ts'
import { proofs } from './0036-proofs.ts'
import { events } from './0038-events.ts'
import { tls } from './0039-tls.ts'
import { backupState } from './0040-backup-state.ts'
import { databaseVersion } from './0041-database-version.ts'
import { firstBackup } from './0042-first-backup.ts'
import { speechModels } from './0043-speech-models.ts'
import { wakeWords } from './0044-wake-words.ts'
import type { Migration } from './migration.ts'

/** Every migration by name, run in the order of their names. A released one is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-account': account,
  '0003-gallery': gallery,
  '0004-simple-storage': simpleStorage,
  '0005-phone': phone,
  '0006-incidents': incidents,
  '0007-change-log': changeLog,
  '0008-photo-deliveries': photoDeliveries,
  '0009-gallery-usage': galleryUsage,
  '0010-drop-search-columns': dropSearchColumns,
  '0011-job-runs': jobRuns,
  '0012-administrators': administrators,
  '0013-organization-invitations': organizationInvitations,
  '0014-nodes': nodes,
  '0015-accounts': accounts,
  '0016-developer-api': developerApi,
  '0017-app-channels': appChannels,
  '0018-stream-inputs': streamInputs,
  '0019-app-log': appLog,
  '0020-live-streams': liveStreams,
  '0021-audit-log': auditLog,
  '0022-output-places': outputPlaces,
  '0023-passkeys': passkeys,
  '0024-node-samples': nodeSamples,
  '0025-device-logins': deviceLogins,
  '0026-last-use': lastUse,
  '0027-app-activity': appActivity,
  '0028-signing-keys': signingKeys,
  '0029-sign-in': signIn,
  '0030-personal-token-changes': personalTokenChanges,
  '0031-speech-usage': speechUsage,
  '0032-disk-use': diskUse,
  '0033-approved-logins': approvedLogins,
  '0034-confirmed-addresses': confirmedAddresses,
  '0035-permission-acceptances': permissionAcceptances,
  '0036-proofs': proofs,
  '0038-events': events,
  '0039-tls': tls,
  '0040-backup-state': backupState,
  '0041-database-version': databaseVersion,
  '0042-first-backup': firstBackup,
  '0043-speech-models': speechModels,
  '0044-wake-words': wakeWords,
}
