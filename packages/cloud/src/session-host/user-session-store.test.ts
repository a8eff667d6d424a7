import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../db/testing.ts'
import { UserStore } from '../identity/index.ts'
import { UserSessionStore } from './user-session-store.ts'

describe('user sessions', () => {
  eachDatabase(({ open }) => {
    test('STO-45: a user keeps one session id until the session ends', async (t) => {
      const db = await open(t)
      const sessions = new UserSessionStore(db)
      const ada = await new UserStore(db).findOrCreate('ada@example.com', 1)
      const claims = Array.from({ length: 10 }, (_, n) => sessions.claim(ada.id, `s${n}`, n))
      const ids = new Set(await Promise.all(claims))
      assert.equal(ids.size, 1)
      const [id = ''] = ids
      assert.equal(await sessions.claim(ada.id, 'later', 20), id)
      assert.equal(await sessions.findById(id), ada.id)
      assert.equal(await sessions.findById('later'), undefined)
      assert.equal(await sessions.end(id), true)
      assert.equal(await sessions.end(id), false)
      assert.equal(await sessions.findById(id), undefined)
      assert.equal(await sessions.claim(ada.id, 'later', 21), 'later')
      await assert.rejects(sessions.claim('nobody', 'x', 1))
    })
  })
})
