import type { ErrorCode } from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { Exports, StoredExport } from './exports/index.ts'

/**
 * An export of the caller's.
 * @param missing what it is called when there is none, or it is over
 * @throws a fault when it is missing or somebody else's
 */
export async function ownExport(
  exports: Exports,
  id: string,
  caller: User,
  missing: ErrorCode,
): Promise<StoredExport> {
  // What has not the form of an id is none, and not every database takes the question.
  const found = /^export_[\w-]{1,100}$/.test(id) ? await exports.find(id) : undefined
  if (found === undefined) throw fault(missing)
  if (found.userId !== caller.id) throw fault('EXPORT_NOT_OWNED')
  return found
}
