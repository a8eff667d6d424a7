import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import type { User } from '../../identity/index.ts'
import type { SessionDirectory, SessionHandle } from '../../session-host/index.ts'
import { notifyAppsChanged, readLiveState } from './user-apps.ts'

const fail = () => Promise.reject(new Error('The session has ended'))

/** A session that ended in another process between lookup and call. */
const endedSession: Pick<SessionHandle, 'appState' | 'glasses' | 'appsChanged'> = {
  appState: fail,
  glasses: fail,
  appsChanged: fail,
}

const sessions = { find: async () => endedSession } as unknown as SessionDirectory
const user = { id: 'user' } as User

describe('a live session that ends while it is read', () => {
  test('CAT-17 CAT-19: counts as no session in lists, and is logged', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const live = await readLiveState(sessions, user, log)
    assert.equal(live.glasses, null)
    assert.equal(live.isRunning('some.app'), false)
    assert.match(lines.join(), /session state could not be read/)
  })

  test('LIFE-5: does not undo an install, and is logged', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    await notifyAppsChanged(sessions, user, log)
    assert.match(lines.join(), /could not be notified of changed apps/)
  })
})
