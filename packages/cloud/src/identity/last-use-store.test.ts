import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../db/testing.ts'
import { AppStore } from '../features/catalogue/app-store.ts'
import { ApiKeyStore } from './api-key-store.ts'
import { LastUseStore } from './last-use-store.ts'
import { LoginStore } from './login-store.ts'
import { PersonalTokenStore } from './personal-token-store.ts'
import { UserStore } from './user-store.ts'

const MINUTE_MS = 60_000

describe('last use of credentials', () => {
  eachDatabase(({ open }) => {
    test('AUTH-70: two uses within a minute', async (t) => {
      const db = await open(t)
      const [keys, tokens, logins] = [
        new ApiKeyStore(db, ['x'.repeat(32)]),
        new PersonalTokenStore(db),
        new LoginStore(db),
      ]
      const registration = { packageName: 'a', name: 'A', publicUrl: 'https://a.example.org' }
      const app = await new AppStore(db).register(registration, 1)
      await keys.add(app.id, 'k1', 'hash', 1)
      await keys.add(app.id, 'unused', 'hash', 2)
      const user = await new UserStore(db).findOrCreate('a@example.org', 1)
      const token = { id: 't1', userId: user.id, name: 'ci', scopes: ['account'], hash: 'h' } as const
      await tokens.add({ ...token, createdAt: 1, expiresAt: 10 * MINUTE_MS })
      const login = await logins.create(user.id, { ipAddress: '192.0.2.1' }, 1)
      assert.deepEqual(login.lastUse, { at: 1, address: '192.0.2.1' })

      const uses = new LastUseStore(db)
      const lastUses = async () => [
        (await keys.findByKeyId('k1'))?.lastUse,
        (await tokens.findLive('t1', MINUTE_MS))?.lastUse,
        (await logins.findLive(login.id, MINUTE_MS))?.lastUse,
      ]
      assert.deepEqual((await lastUses()).slice(0, 2), [undefined, undefined])
      const record = async (at: number, address: string) => {
        await uses.record('api_keys', 'k1', { at, address })
        await uses.record('personal_tokens', 't1', { at, address })
        await uses.record('logins', login.id, { at, address })
        return lastUses()
      }
      const first = { at: 1_000, address: '192.0.2.7' }
      assert.deepEqual(await record(first.at, first.address), [first, first, first])
      // As another node would, within the minute.
      assert.deepEqual(await record(first.at + MINUTE_MS - 1, '192.0.2.8'), [first, first, first])
      const second = { at: first.at + MINUTE_MS, address: '2001:db8::1' }
      assert.deepEqual(await record(second.at, second.address), [second, second, second])
      assert.equal((await keys.findByKeyId('unused'))?.lastUse, undefined)
      await uses.record('api_keys', 'gone', second)

      const later = await logins.create(user.id, {}, second.at - 1)
      const listed = await logins.list(user.id, second.at)
      assert.deepEqual(
        listed.map(({ id }) => id),
        [login.id, later.id],
        'the most recently used first',
      )
    })
  })
})
