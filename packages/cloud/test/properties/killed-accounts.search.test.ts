import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import type { Database } from '../../src/db/index.ts'
import { eachDatabase } from '../../src/db/testing.ts'
import { SignInMethodStore } from '../../src/features/auth/sign-in-method-store.ts'
import { AccountStore } from '../../src/features/auth/sign-up/account-store.ts'
import { SetUpStore } from '../../src/features/auth/sign-up/set-up-store.ts'
import { SignUpInvitationStore } from '../../src/features/auth/sign-up/sign-up-invitation-store.ts'
import { AppStore } from '../../src/features/catalogue/index.ts'
import { OwnershipStore } from '../../src/features/catalogue/ownership-store.ts'
import { DeletionStore, Deletions } from '../../src/features/personal-data/index.ts'
import { createLog } from '../../src/http/log.ts'
import { ApiKeyStore, UserStore } from '../../src/identity/index.ts'
import { systemClock } from '../../src/time/index.ts'
import { checkProperty } from '../support/property.ts'
import { suiteScope } from '../support/scope.ts'

/** The process dies before one of its queries: neither this one nor any later one is sent. */
class Death implements KyselyPlugin {
  #queriesLeft: number

  constructor(queries: number) {
    this.#queriesLeft = queries
  }

  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => {
    this.#queriesLeft -= 1
    if (this.#queriesLeft < 0) throw new Error('killed')
    return node
  }

  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => result
}

const OPERATIONS = ['setUp', 'signUp', 'signUpInvited', 'claim', 'rotateKey', 'rotateSecret'] as const

interface Step {
  readonly operation: (typeof OPERATIONS)[number]
  /** Queries before the process dies. */
  readonly queries: number
}

const EMAIL = 'ada@example.com'
const OPERATOR = 'op@example.com'
const PACKAGE = 'com.example.app'

eachDatabase((database) => {
  describe('killed processes', () => {
    const scope = suiteScope()
    let db: Database
    before(async () => {
      db = await database.open(scope)
    })

    const deletionsOn = (on: Database) =>
      new Deletions({
        store: new DeletionStore(on),
        users: new UserStore(on),
        steps: [
          {
            name: 'ownership',
            phase: 'ownership',
            run: async (user) => void (await new OwnershipStore(on).giveUp(user, 1)),
          },
        ],
        secret: 'a secret',
        clock: systemClock,
        log: createLog('silent'),
      })
    const passwordOf = async (email: string) => {
      const user = await new UserStore(db).findByEmail(email)
      const hash = user && (await new SignInMethodStore(db).findPassword(user.id))
      return { user, hash }
    }

    /** Completes what a process left behind, as the next start does. */
    async function restart(): Promise<void> {
      const deletions = deletionsOn(db)
      deletions.start()
      await deletions.idle()
      await deletions.stop()
      assert.deepEqual(await db.selectFrom('deletions').selectAll().execute(), [])
    }

    async function run(steps: readonly Step[]): Promise<void> {
      for (const table of ['users', 'set_up', 'sign_up_invitations', 'api_keys', 'apps'] as const)
        await db.deleteFrom(table).execute()
      const app = await new AppStore(db).register(
        { packageName: PACKAGE, name: 'A', publicUrl: 'https://a.example.org' },
        1,
      )
      let keys = 0
      let rotations = 0
      let secrets: readonly [string, ...string[]] = ['secret 0']
      const addKey = (on: Database) => {
        keys += 1
        return new ApiKeyStore(on, secrets).add(app.id, `key-${keys}`, `hash-${keys}`, Date.now() + keys)
      }
      await addKey(db)
      for (const { operation, queries } of steps) {
        const dying = db.withPlugin(new Death(queries))
        const survived = async (work: () => Promise<unknown>) =>
          work().then(
            () => true,
            (error: unknown) => {
              if (error instanceof Error && /killed|failed/.test(error.message)) return false
              throw error
            },
          )
        const account = { name: '', passwordHash: `hash of ${operation}` }
        switch (operation) {
          case 'setUp': {
            await survived(() =>
              new AccountStore(dying).create(
                { ...account, email: OPERATOR },
                { kind: 'first', provesEmail: true },
                1,
              ),
            )
            break
          }
          case 'signUp': {
            await survived(() =>
              new AccountStore(dying).create(
                { ...account, email: EMAIL },
                { kind: 'open', provesEmail: false },
                1,
              ),
            )
            break
          }
          case 'signUpInvited': {
            const invited = `invited${queries}@example.com`
            const invitations = new SignUpInvitationStore(db)
            const created = await invitations.create(`invitation-${Math.random()}`, invited, Date.now())
            const token = created?.token ?? ''
            const permit = { kind: 'invitation', token, provesEmail: true } as const
            await survived(() =>
              new AccountStore(dying).create({ ...account, email: invited }, permit, Date.now()),
            )
            const { user } = await passwordOf(invited)
            const isOpen = (await invitations.find(token, invited, Date.now())) !== undefined
            assert.equal(isOpen, user === undefined, 'an invitation is used up with an account only')
            if (user !== undefined) await new UserStore(db).remove(user.id, undefined, 1)
            break
          }
          case 'claim': {
            const before = await passwordOf(EMAIL)
            if (before.user === undefined) break
            const { id } = before.user
            const isClaimed = await survived(() =>
              deletionsOn(dying).claim(id, { passwordHash: 'hash of the owner' }),
            )
            await restart()
            const after = await passwordOf(EMAIL)
            assert.ok(after.user, 'no claim leaves an address without an account')
            const wasUnconfirmed = !before.user.isEmailVerified
            if (isClaimed && wasUnconfirmed) assert.notEqual(after.user.id, id)
            if (after.user.id === id) assert.equal(after.hash, before.hash)
            else assert.deepEqual([after.user.isEmailVerified, after.hash], [true, 'hash of the owner'])
            break
          }
          case 'rotateKey': {
            const live = await new ApiKeyStore(db, secrets).list(app.id)
            await survived(() => addKey(dying))
            const now = await new ApiKeyStore(db, secrets).list(app.id)
            assert.ok(now.length >= 1 && now.length <= 2)
            const newest = live[0]?.keyId
            assert.ok(
              now.some(({ keyId }) => keyId === newest),
              'the key in use stays valid',
            )
            break
          }
          case 'rotateSecret': {
            rotations += 1
            secrets = [`secret ${rotations}`, secrets[0]]
            await survived(() => new ApiKeyStore(dying, secrets).sealAll())
            const next = new ApiKeyStore(db, secrets)
            await next.sealAll()
            assert.equal((await next.signingKeys(app.id)).length, (await next.list(app.id)).length)
          }
        }
        await restart()
        await holdsNoHalfAccount()
      }
    }

    async function holdsNoHalfAccount(): Promise<void> {
      for (const email of [EMAIL, OPERATOR]) {
        const { user, hash } = await passwordOf(email)
        if (user !== undefined) assert.ok(hash !== undefined, `${email} has a password`)
      }
      const { user: operator } = await passwordOf(OPERATOR)
      assert.equal(await new SetUpStore(db).isPending(), operator === undefined)
      if (operator !== undefined)
        assert.deepEqual([operator.isAdministrator, operator.isEmailVerified], [true, true])
    }

    test('TRU-9: a process killed at any query leaves no half account and no lock-out', async () => {
      const steps = fc.array(
        fc.record({ operation: fc.constantFrom(...OPERATIONS), queries: fc.integer({ min: 0, max: 30 }) }),
        { minLength: 1, maxLength: 8 },
      )
      await checkProperty(fc.asyncProperty(steps, run), { runs: 25 })
    })
  })
})
