import { downloadExport } from './download-export.ts'
import { getExportStatus } from './get-export-status.ts'
import { getMe } from './get-me.ts'
import { getPrivacy } from './get-privacy.ts'
import { putPrivacy } from './put-privacy.ts'
import { putProfile } from './put-profile.ts'
import { requestDeletion } from './request-deletion.ts'
import { requestExport } from './request-export.ts'

/** Endpoints under `/api/account`; signing in to apps is in `oauth`. */
export const accountEndpoints = [
  getMe,
  putProfile,
  getPrivacy,
  putPrivacy,
  requestExport,
  getExportStatus,
  downloadExport,
  requestDeletion,
]
