import { networkInterfaces } from 'node:os'
import { skipIfMissing } from './optional-part.ts'

/** Why tests that need `::1` are skipped; false if this machine has it. */
export const ipv6Missing = skipIfMissing(
  Object.values(networkInterfaces()).some((found) => found?.some(({ address }) => address === '::1'))
    ? undefined
    : 'this machine has no ::1',
)
