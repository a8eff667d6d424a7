import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { entryIdAt } from './app-log.ts'
import type { StoredEntry } from './app-log-store.ts'
import { followLog } from './follow-log.ts'

test('ALOG-4: a client that stopped reading receives no later entries once it has lost its access', async () => {
  const clock = new VirtualClock(1_700_000_000_000)
  const at = clock.now()
  const fields = { level: 'info', kind: 'socket', event: 'opened' } as const
  const entries: StoredEntry[] = Array.from({ length: 250 }, (_, n) => {
    return { id: `${entryIdAt(at)}-${String(n).padStart(6, '0')}-0`, appId: 'app', at, fields }
  })
  const access = new AbortController()
  const log = followLog({
    store: {
      listAfter: async (_, id, limit) => entries.filter((entry) => entry.id > id).slice(0, limit),
    },
    appLog: { onWritten: () => () => {} },
    clock,
    appId: 'app',
    after: undefined,
    signal: access.signal,
  })
  assert.equal((await log.next()).value, ': connected\n\n')
  for (let n = 0; n < 150; n += 1) assert.match(String((await log.next()).value), /^id: /)
  access.abort()
  assert.equal((await log.next()).done, true)
})
