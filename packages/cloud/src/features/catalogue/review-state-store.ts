import type { AppStoreStatus } from '@glasses-cloud/contract'
import type { Transaction } from 'kysely'
import { type AppRow, fromJson, type Schema } from '../../db/index.ts'
import type { Approved, ReviewedManifest } from './app.ts'
import { toApproved, toPermission } from './reviewed-manifest.ts'

/** What the database knows about the review of an app. */
export interface ReviewState {
  readonly status: AppStoreStatus
  readonly approved: Approved
  readonly manifest: ReviewedManifest
}

/** Reads the review state of an app whose row the transaction has locked. */
export async function readReviewState(trx: Transaction<Schema>, row: AppRow): Promise<ReviewState> {
  const permissions = await trx
    .selectFrom('app_permissions')
    .select(['type', 'description'])
    .where('app_id', '=', row.id)
    .orderBy('position')
    .execute()
  return {
    status: row.app_store_status,
    approved: toApproved(row.approved),
    manifest: {
      permissions: permissions.map(toPermission),
      publicUrl: row.public_url,
      webviewUrl: row.webview_url,
      tools: fromJson(row.tools),
    },
  }
}
