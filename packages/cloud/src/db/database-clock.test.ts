import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { DatabaseClock } from './database-clock.ts'
import { onPostgres } from './testing.ts'

describe('the clock of the database', () => {
  onPostgres(({ open }) => {
    test('SHARE-30: wall time is that of the database, whatever the clock of the machine shows', async (t) => {
      const db = await open(t)
      const machine = new VirtualClock(Date.now() - 10 * 60_000)
      const reported: object[] = []
      const log = pino({ level: 'warn' }, { write: (line: string) => void reported.push(JSON.parse(line)) })
      const clock = await DatabaseClock.open(machine, db, log)
      t.after(() => clock.close())
      assert.ok(Math.abs(clock.now() - Date.now()) < 2_000)
      assert.equal(reported.length, 1)
      const before = clock.now()
      machine.jumpWallClock(60 * 60_000)
      assert.equal(clock.now(), before)
      machine.advance(1_000)
      assert.equal(clock.now(), before + 1_000)
    })
  })
})
