import { test } from 'node:test'
import { runSchedules } from './run-schedules.ts'

test('SES-20 SES-23: no schedule of faults violates an invariant, part 2', () => {
  runSchedules(1, 3)
})
