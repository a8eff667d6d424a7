import {
  createValidator,
  findViolations,
  formatViolation,
  MAX_PERMISSIONS,
  mergePermissions,
  PERMISSION_TYPES,
  type Permission,
  permissionList,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { App, AppStore, Catalogue } from '../catalogue/index.ts'
import { type Publishing, refuseInReview } from '../developer/index.ts'

export interface AppPermissionsDeps {
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly sessions: SessionDirectory
  readonly publishing: Publishing
  /** Epoch ms. */
  readonly now: () => number
}

/** Access of a user to the permissions of an app. */
export interface PermissionAccess {
  readonly app: App
  /** The permissions as the user has the app: those that are approved, for others than its owners. */
  readonly permissions: readonly Permission[]
  readonly view: boolean
  readonly modify: boolean
}

/**
 * Permissions that apps declare. The developer of an app and the members of its organization own it and may change
 * them. `X-Org-Id` is ignored: it is valid only for members (decision I7), who own the app without it.
 */
export class AppPermissions {
  readonly #deps: AppPermissionsDeps

  constructor(deps: AppPermissionsDeps) {
    this.#deps = deps
  }

  /** Returns the access of the user; undefined if the app does not exist. */
  async accessOf(user: User, packageName: string): Promise<PermissionAccess | undefined> {
    const { apps, catalogue } = this.#deps
    const app = await apps.findByPackage(packageName)
    if (app === undefined) return undefined
    const owns = (await catalogue.ownershipOf(user))(app)
    return {
      app,
      permissions: (owns ? app : ((await catalogue.find(packageName, user)) ?? app)).permissions,
      view: owns || app.appStoreStatus === 'PUBLISHED',
      modify: owns,
    }
  }

  /**
   * Replaces all permissions of an app. A published app to which permissions are added may have to be reviewed again.
   * @returns the updated app; undefined if it was deleted
   * @throws Fault `APP_IN_REVIEW`
   */
  async replace(app: App, permissions: readonly Permission[]): Promise<App | undefined> {
    const { apps, publishing, now } = this.#deps
    const replaced = await apps.replacePermissions(app.id, permissions, now()).catch(refuseInReview)
    const updated = replaced ? await apps.findByPackage(app.packageName) : undefined
    if (updated === undefined) return undefined
    await publishing.edited(updated)
    return apps.findByPackage(app.packageName)
  }

  /** Applies the current permissions of an app to live sessions. */
  async notifySessions({ packageName }: App): Promise<void> {
    await this.#deps.sessions.appChanged(packageName)
  }
}

const validator = createValidator(Type.Object({ permissions: permissionList }))

/**
 * Parses the permissions of a request and merges those of one type; the schema of the endpoint excludes them, because
 * each error has a separate message.
 * @throws Fault that names the first error
 */
export function parsePermissions(permissions: unknown): Permission[] {
  if (!Array.isArray(permissions)) throw fault('PERMISSIONS_NOT_AN_ARRAY')
  if (permissions.length > MAX_PERMISSIONS)
    throw invalid(`permissions must have at most ${MAX_PERMISSIONS} entries`)
  const unknown = permissions.find((entry) => !isKnownType(typeOf(entry)))
  if (unknown !== undefined)
    throw fault('INVALID_PERMISSION_TYPE', { message: `Invalid permission type: ${quote(typeOf(unknown))}` })
  const candidate: unknown = { permissions }
  if (!validator.Check(candidate)) {
    const [breach = { field: 'permissions', problem: 'is not valid' }] = findViolations(
      validator.Errors(candidate),
    )
    throw invalid(
      breach.problem.startsWith('must match')
        ? `${breach.field} must not hold control characters`
        : formatViolation(breach, 'The body'),
    )
  }
  // Drops other fields: clients send back what they received, including record ids of other clouds.
  return mergePermissions(candidate.permissions)
}

function invalid(message: string) {
  return fault('BAD_REQUEST', { message })
}

function typeOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'type' in entry ? entry.type : undefined
}

function isKnownType(type: unknown): boolean {
  return PERMISSION_TYPES.some((known) => known === type)
}

function quote(type: unknown): string {
  return (typeof type === 'string' ? type : (JSON.stringify(type) ?? 'undefined')).slice(0, 100)
}
