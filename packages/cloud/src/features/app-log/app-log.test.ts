import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { AppLog } from './app-log.ts'
import type { AppLogStore, StoredEntry } from './app-log-store.ts'

test('ALOG-6: a database that hangs', async () => {
  const clock = new VirtualClock()
  const { promise: responds, resolve: respond } = Promise.withResolvers<void>()
  const stored: StoredEntry[] = []
  const store = {
    async idsOf(packageNames: readonly string[]) {
      await responds
      return new Map(packageNames.map((name) => [name, name]))
    },
    add: async (entries: readonly StoredEntry[]) => void stored.push(...entries),
  } as unknown as AppLogStore
  const lines: { readonly lost?: number }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const appLog = new AppLog({ store, secret: 's', clock, log })

  for (let interval = 0; interval < 400; interval += 1) {
    for (let entry = 0; entry < 20; entry += 1)
      appLog.record(`dev.example.app${interval}`, { level: 'info', kind: 'start', event: 'requested' })
    clock.advance(500)
  }
  respond()
  await appLog.flush()
  assert.equal(stored.length, 5_000)
  assert.equal(
    lines.reduce((sum, { lost = 0 }) => sum + lost, 0),
    3_000,
  )

  appLog.record('dev.example.app', { level: 'info', kind: 'start', event: 'requested' })
  await appLog.flush()
  assert.equal(stored.length, 5_001)
})
