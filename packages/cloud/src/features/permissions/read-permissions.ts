import {
  createValidator,
  findViolations,
  formatViolation,
  MAX_PERMISSIONS,
  PERMISSION_TYPES,
  type Permission,
  permissionList,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { fault } from '../../http/fault.ts'

const form = createValidator(Type.Object({ permissions: permissionList }))

/**
 * Reads the permissions of a request. Each thing that may be wrong with them has a message of its own, so the
 * validator of the endpoint leaves them to this.
 * @throws Fault naming the first wrong thing
 */
export function readPermissions(permissions: unknown): Permission[] {
  if (!Array.isArray(permissions)) throw fault('PERMISSIONS_NOT_AN_ARRAY')
  if (permissions.length > MAX_PERMISSIONS)
    throw invalid(`permissions must have at most ${MAX_PERMISSIONS} entries`)
  const stranger = permissions.find((entry) => !isKnownType(typeOf(entry)))
  if (stranger !== undefined)
    throw fault('INVALID_PERMISSION_TYPE', { message: `Invalid permission type: ${shown(typeOf(stranger))}` })
  const candidate: unknown = { permissions }
  if (!form.Check(candidate)) {
    const [breach = { field: 'permissions', problem: 'is not valid' }] = findViolations(
      form.Errors(candidate),
    )
    throw invalid(
      breach.problem.startsWith('must match')
        ? `${breach.field} must not hold control characters`
        : formatViolation(breach, 'The body'),
    )
  }
  const read = candidate.permissions
  const twice = read.find(({ type }, at) => read.findIndex((other) => other.type === type) < at)
  if (twice) throw invalid(`permissions names ${twice.type} more than once`)
  // Only what is known: clients send back what they were given, record ids of other clouds included.
  return read.map(({ type, description }) => (description === undefined ? { type } : { type, description }))
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

function shown(type: unknown): string {
  return (typeof type === 'string' ? type : (JSON.stringify(type) ?? 'undefined')).slice(0, 100)
}
