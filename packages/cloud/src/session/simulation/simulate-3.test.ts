import { test } from 'node:test'
import { runSchedules } from './run-schedules.ts'

test('SES-20 SES-24: no schedule of faults violates an invariant, part 3', () => {
  runSchedules(2, 3)
})
