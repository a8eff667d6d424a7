import { fault } from '../../http/fault.ts'
import type { MemberChange } from '../../identity/index.ts'

/** @throws Fault if a change of members was rejected */
export function throwUnlessDone(change: MemberChange): void {
  if (change === 'not_found') throw fault('MEMBER_NOT_FOUND')
  if (change === 'last_admin') throw fault('LAST_ADMIN')
}
