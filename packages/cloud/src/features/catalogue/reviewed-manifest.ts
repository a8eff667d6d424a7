import { createHash } from 'node:crypto'
import type { Permission } from '@glasses-cloud/contract'
import { fromJson } from '../../db/index.ts'
import type { App, Approved, ReviewedManifest } from './app.ts'

/** Returns the reviewed part of a manifest, with its fields in a fixed order. */
function toReviewedManifest(app: ReviewedManifest): ReviewedManifest {
  const { permissions, publicUrl, webviewUrl, tools } = app
  return { permissions, publicUrl, webviewUrl, tools }
}

/** Returns the name of a revision: the hex SHA-256 of its JSON. */
export function revisionOf(app: ReviewedManifest): string {
  return createHash('sha256')
    .update(JSON.stringify(toReviewedManifest(app)))
    .digest('hex')
}

/** Parses the column `approved`. */
export function toApproved(column: string | null): Approved {
  if (column === null) return 'everything'
  return column === '' ? 'nothing' : fromJson<ReviewedManifest>(column)
}

/** Whether everything that an app declares is approved. It may declare less. */
export function isApproved(app: ReviewedManifest & Pick<App, 'approved'>): boolean {
  const { approved, permissions, publicUrl, webviewUrl, tools } = app
  if (approved === 'everything') return true
  if (approved === 'nothing') return false
  return (
    publicUrl === approved.publicUrl &&
    webviewUrl === approved.webviewUrl &&
    permissions.every((permission) => isPermissionApproved(permission, approved.permissions)) &&
    isSubset(tools, approved.tools)
  )
}

/**
 * Returns an app as users have it who do not own it: as declared if that is approved, otherwise with the approved
 * permissions, addresses and tools, without those that the app no longer declares (PRM-22). Of an app without approval
 * that is nothing: no address either, so that nobody calls its server for them.
 */
export function toApprovedForm(app: App): App {
  const { approved } = app
  if (approved === 'everything' || isApproved(app)) return app
  if (approved === 'nothing') return { ...app, permissions: [], publicUrl: '', webviewUrl: null, tools: [] }
  const types = new Set(app.permissions.map(({ type }) => type))
  const toolIds = new Set(app.tools.map(({ id }) => id))
  return {
    ...app,
    ...approved,
    permissions: approved.permissions.filter(({ type }) => types.has(type)),
    tools: approved.tools.filter(({ id }) => toolIds.has(id)),
  }
}

/** Converts a row of a declared permission. */
export function toPermission({
  type,
  description,
}: {
  readonly type: Permission['type']
  readonly description: string | null
}): Permission {
  return description === null ? { type } : { type, description }
}

/** A permission may lose its description. */
function isPermissionApproved(
  { type, description = '' }: Permission,
  approved: readonly Permission[],
): boolean {
  const known = approved.find((entry) => entry.type === type)
  return known !== undefined && (description === '' || description === known.description)
}

function isSubset(part: readonly object[], whole: readonly object[]): boolean {
  const texts = new Set(whole.map((entry) => JSON.stringify(entry)))
  return part.every((entry) => texts.has(JSON.stringify(entry)))
}
