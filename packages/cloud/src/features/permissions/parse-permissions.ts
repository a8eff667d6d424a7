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
