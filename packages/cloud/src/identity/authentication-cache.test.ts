import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase, openWatchedDatabase } from '../db/index.ts'
import { eachDatabase } from '../db/testing.ts'
import { AuthenticationCache } from './authentication-cache.ts'
import { Authenticator, LateAccountClaims } from './authenticator.ts'
import { LoginStore } from './login-store.ts'
import { Tokens } from './tokens.ts'
import { UserStore } from './user-store.ts'

const secret = 'a secret of at least thirty-two characters'

/** Counts how often a user is read. */
class CountingUserStore extends UserStore {
  reads = 0

  override findById(id: string) {
    this.reads += 1
    return super.findById(id)
  }
}

describe('authentication cache', () => {
  eachDatabase((database) => {
    test('AUTH-17: a token is verified once, until its user changes in this process or another', async (t) => {
      const place = await database.createEmpty(t)
      const { db, changes } = await openWatchedDatabase(place)
      const other = await openDatabase(place)
      t.after(async () => {
        await changes.close()
        await Promise.all([db.destroy(), other.destroy()])
      })
      const users = new CountingUserStore(db)
      const tokens = new Tokens({ secret, acceptNonExpiring: false })
      const authenticator = new Authenticator({
        tokens,
        users,
        logins: new LoginStore(db),
        claims: new LateAccountClaims(),
        secrets: [secret],
        now: () => Date.now(),
        cache: new AuthenticationCache(changes),
      })
      const user = await users.findOrCreate('ada@example.org', 1)
      const token = tokens.issue(user)
      const authenticate = (scopes: ('core' | 'glasses')[] = ['core']) =>
        authenticator.authenticateToken(token, { scopes })

      assert.equal((await authenticate()).ok, true)
      const firstReads = users.reads
      assert.equal((await authenticate()).ok, true)
      assert.equal(users.reads, firstReads, 'the second request reads no user')
      assert.deepEqual(await authenticate(['glasses']), { ok: false, reason: 'scope' })

      await users.update(user.id, { name: 'Ada' }, 2)
      const renamed = await authenticate()
      assert.equal(renamed.ok && renamed.user.name, 'Ada')

      await new UserStore(other).setTokensValidFrom(user.id, Date.now() + 60_000)
      const deadline = performance.now() + 20_000
      while ((await authenticate()).ok) {
        assert.ok(performance.now() < deadline, 'a logout in another process takes effect')
        await new Promise(setImmediate)
      }
      assert.deepEqual(await authenticate(), { ok: false, reason: 'revoked' })
    })

    test('AUTH-17: a deleted user is not remembered', async (t) => {
      const { db, changes } = await openWatchedDatabase(await database.createEmpty(t))
      t.after(async () => {
        await changes.close()
        await db.destroy()
      })
      const users = new UserStore(db)
      const tokens = new Tokens({ secret, acceptNonExpiring: false })
      const cache = new AuthenticationCache(changes)
      const authenticator = new Authenticator({
        tokens,
        users,
        logins: new LoginStore(db),
        claims: new LateAccountClaims(),
        secrets: [secret],
        now: () => Date.now(),
        cache,
      })
      const user = await users.findOrCreate('ada@example.org', 1)
      const token = tokens.issue(user)
      assert.equal((await authenticator.authenticateToken(token, { scopes: ['core'] })).ok, true)
      await users.remove(user.id, 'hash', Date.now())
      assert.deepEqual(await authenticator.authenticateToken(token, { scopes: ['core'] }), {
        ok: false,
        reason: 'deleted',
      })
    })
  })

  test('AUTH-17: an expired entry, and the least recently used of too many, are forgotten', async () => {
    const cache = new AuthenticationCache({ on: () => {}, catchUp: () => undefined, close: async () => {} })
    const user = {
      id: 'u',
      email: 'ada@example.org',
      name: '',
      profile: {},
      tokensValidFrom: 0,
      isAdministrator: false,
      isEmailVerified: false,
      hasSecondFactor: false,
      suspendedAt: undefined,
      createdAt: 1,
      updatedAt: 1,
    }
    const generation = await cache.catchUp()
    cache.add('expiring', { user, scope: 'core', loginId: undefined, expiresAt: 100 }, generation)
    assert.equal(cache.find('expiring', 99)?.user, user)
    assert.equal(cache.find('expiring', 100), undefined)
    assert.equal(cache.find('expiring', 99), undefined, 'an expired entry is not restored')
    const forever = { user, scope: 'core' as const, loginId: undefined, expiresAt: Number.POSITIVE_INFINITY }
    for (let n = 0; n < 5_000; n += 1) cache.add(`token ${n}`, forever, generation)
    cache.find('token 0', 0)
    cache.add('one more', forever, generation)
    assert.equal(cache.find('token 0', 0)?.user, user)
    assert.equal(cache.find('token 1', 0), undefined)
  })
})
