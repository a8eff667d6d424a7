import type { ErrorCode } from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { Exports, StoredExport } from './exports/index.ts'

/**
 * Returns an export of the caller.
 * @param missing code of the fault for an export that does not exist or has expired
 * @throws Fault `missing`, or `EXPORT_NOT_OWNED` for an export of another user
 */
export async function findOwnExport(
  exports: Exports,
  id: string,
  caller: User,
  missing: ErrorCode,
): Promise<StoredExport> {
  // PostgreSQL rejects strings with U+0000, so malformed ids never reach the database.
  const found = /^export_[\w-]{1,100}$/.test(id) ? await exports.find(id) : undefined
  if (found === undefined) throw fault(missing)
  if (found.userId !== caller.id) throw fault('EXPORT_NOT_OWNED')
  return found
}
