import { test } from 'node:test'
import { runNodeSchedules } from './run-schedules.ts'

test('NODE-43 NODE-44: no schedule of faults violates an invariant of the nodes, part 2', () =>
  runNodeSchedules(1, 2))
