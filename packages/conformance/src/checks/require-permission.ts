import { grants, type PermissionType, permission } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { expectBody } from '../expect.ts'
import { Skipped } from '../outcome.ts'

/** @throws {Skipped} unless the kit's app declares the permission */
export async function requirePermission(context: Context, type: PermissionType): Promise<void> {
  const { packageName } = (await context.app()).options
  const answer = await context.rest.get(`/api/permissions/${encodeURIComponent(packageName)}`)
  const { permissions } = expectBody(Type.Object({ permissions: Type.Array(permission) }), answer)
  if (!grants(permissions, type)) throw new Skipped(`the kit's app does not declare ${type}`)
}
