import type { Check } from '../check.ts'
import { accountChecks } from './account.ts'
import { appSocketChecks } from './app-socket.ts'
import { catalogueChecks } from './catalogue.ts'
import { deviceChecks } from './device.ts'
import { dialectChecks } from './dialects.ts'
import { glassesSocketChecks } from './glasses-socket.ts'
import { lifecycleChecks, stopChecks } from './lifecycle.ts'
import { limitChecks, paceCheck } from './limits.ts'
import { mediaChecks } from './media.ts'

/**
 * All checks, in the order in which they run: those that open sockets of the glasses themselves come before those that
 * share connected glasses, and the checks that stop the app or use up a limit come last.
 */
export const checks: readonly Check[] = [
  ...catalogueChecks,
  ...accountChecks,
  ...glassesSocketChecks,
  ...dialectChecks,
  ...lifecycleChecks,
  ...appSocketChecks,
  ...deviceChecks,
  paceCheck,
  ...mediaChecks,
  ...stopChecks,
  ...limitChecks,
]
