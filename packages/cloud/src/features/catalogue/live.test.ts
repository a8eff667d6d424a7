import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import type { User } from '../../identity/index.ts'
import type { SessionDirectory, SessionHandle } from '../../session-host/index.ts'
import { announceChange } from './announce-change.ts'
import { liveView } from './live.ts'

const gone = () => Promise.reject(new Error('the session is over'))

/** A session that ended in another process between being found and being asked. */
const ending: Pick<SessionHandle, 'appState' | 'capabilities' | 'appsChanged'> = {
  appState: gone,
  capabilities: gone,
  appsChanged: gone,
}

const sessions = { find: async () => ending } as unknown as SessionDirectory
const user = { id: 'user' } as User

describe('a live session that ends while it is asked', () => {
  test('CAT-17 CAT-19: counts as none in lists, and is noted', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const live = await liveView(sessions, user, log)
    assert.equal(live.capabilities, null)
    assert.equal(live.isRunning('some.app'), false)
    assert.match(lines.join(), /did not say what it runs/)
  })

  test('LIFE-5: does not undo an install, and is noted', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    await announceChange(sessions, user, log)
    assert.match(lines.join(), /was not told that its apps changed/)
  })
})
