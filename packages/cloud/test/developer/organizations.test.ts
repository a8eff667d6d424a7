import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase, type TestDatabase } from '../../src/db/testing.ts'
import { setUpCodeOf } from '../../src/features/auth/index.ts'
import { isPlainName } from '../../src/features/organizations/invitations.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'

const DAY_MS = 24 * 60 * 60 * 1000

interface OrganizationBody {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly role: string
  readonly profile: Record<string, string>
  readonly members: { userId: string; email: string; role: string }[]
  readonly invitations?: { id: string; email: string; role: string }[]
}

interface Body {
  readonly success: boolean
  readonly message?: string
  readonly data: OrganizationBody & OrganizationBody[]
}

/** A user who sends requests below `/api/console/orgs`. */
interface Person {
  readonly email: string
  readonly id: string
  call(method: string, path: string, body?: object): Promise<{ status: number; body: Body }>
}

eitherDatabase((database: TestDatabase) => {
  describe('organizations', () => {
    const scope = suiteScope()
    const clock = new VirtualClock()
    let cloud: LocalCloud
    let count = 0

    before(async () => {
      // Log lines contain the invitations, since no mail server is configured.
      cloud = await startCloud(scope, { database, env: { LOG_LEVEL: 'warn' }, overrides: { clock } })
    })

    const person = async (name: string): Promise<Person> => {
      count += 1
      const email = `${name}-${count}@example.org`
      const token = await cloud.token(email, { lifetimeMs: 30 * DAY_MS })
      const user = await cloud.operator.users.findByEmail(email)
      assert.ok(user)
      return {
        email,
        id: user.id,
        call: (method, path, body) => cloud.request(method, `/api/console/orgs${path}`, { token, body }),
      }
    }

    /** Creates an organization of two administrators or members. */
    const createWith = async (admin: Person, others: readonly (readonly [Person, 'admin' | 'member'])[]) => {
      count += 1
      const { body } = await admin.call('POST', '', { name: `Org ${count}` })
      for (const [{ id }, role] of others)
        await cloud.operator.organizations.addMember(body.data.id, id, role, clock.now())
      return body.data
    }

    /** The token in the newest invitation in the log. */
    const invitedToken = (): string => {
      const line = cloud.logged.findLast(({ link }) => String(link).includes('/join#token='))
      const token = new URLSearchParams(new URL(String(line?.link)).hash.slice(1)).get('token')
      assert.ok(token)
      return token
    }

    const statusOf = async (response: Promise<{ status: number }>) => (await response).status

    test('ORG-1 ORG-2: the creator is the administrator; the slug is derived from the name', async () => {
      const ada = await person('ada')
      const { status, body } = await ada.call('POST', '', {
        name: 'Äcme  Labs!',
        profile: { company: 'Acme' },
      })
      assert.equal(status, 200)
      const { id, slug, role, profile, members, invitations } = body.data
      assert.deepEqual([slug, role, profile, invitations], ['acme-labs', 'admin', { company: 'Acme' }, []])
      assert.deepEqual(
        members.map(({ email, role }) => [email, role]),
        [[ada.email, 'admin']],
      )
      assert.equal(await statusOf(ada.call('POST', '', { name: 'Other', slug: 'acme-labs' })), 409)
      const list = await ada.call('GET', '')
      assert.deepEqual(
        list.body.data.map((one) => [one.id, one.role]),
        [[id, 'admin']],
      )
      for (const org of [id, slug]) assert.equal((await ada.call('GET', `/${org}`)).body.data.id, id)
      assert.equal(await statusOf(ada.call('POST', '', { name: '字' })), 400)
      assert.equal((await ada.call('POST', '', { name: '字', slug: 'ji' })).body.data.name, '字')
    })

    test('ORG-3: an update changes the given fields only and names an invalid one', async () => {
      const ada = await person('ada')
      const { id } = await createWith(ada, [])
      const profile = { company: 'Acme', website: 'https://acme.example.org' }
      await ada.call('PATCH', `/${id}`, { name: 'New', profile })
      const { body } = await ada.call('PATCH', `/${id}`, { profile: { company: 'Acme Ltd' } })
      assert.deepEqual([body.data.name, body.data.profile], ['New', { ...profile, company: 'Acme Ltd' }])
      for (const [change, field] of [
        [{ name: '' }, /name/],
        [{ slug: 'Acme Labs' }, /slug/],
        [{ profile: { website: 'javascript:alert(1)' } }, /profile/],
        [{ owner: 'me' }, /owner/],
      ] as const) {
        const rejected = await ada.call('PATCH', `/${id}`, change)
        assert.equal(rejected.status, 400)
        assert.match(rejected.body.message ?? '', field)
      }
      const other = await createWith(ada, [])
      assert.equal(await statusOf(ada.call('PATCH', `/${id}`, { slug: other.slug })), 409)
      assert.equal((await ada.call('GET', `/${id}`)).body.data.name, 'New')
    })

    test('ORG-4: strangers learn nothing; members read and may not administrate', async () => {
      const [ada, bob, eve] = [await person('ada'), await person('bob'), await person('eve')]
      const { id, slug } = await createWith(ada, [[bob, 'member']])
      const acts = [
        ['PATCH', `/${id}`, { name: 'Mine' }],
        ['DELETE', `/${id}`, undefined],
        ['POST', `/${id}/members`, { email: 'x@example.org' }],
        ['PATCH', `/${id}/members/${bob.id}`, { role: 'admin' }],
        ['DELETE', `/${id}/members/${ada.id}`, undefined],
        ['POST', `/${id}/invitations/x/resend`, undefined],
        ['DELETE', `/${id}/invitations/x`, undefined],
      ] as const
      for (const [method, path, body] of acts) {
        assert.equal(await statusOf(bob.call(method, path, body)), 403, `${method} ${path}`)
        assert.equal(await statusOf(eve.call(method, path, body)), 404, `${method} ${path}`)
      }
      assert.equal(await statusOf(eve.call('GET', `/${slug}`)), 404)
      const seen = await bob.call('GET', `/${slug}`)
      assert.deepEqual([seen.body.data.role, seen.body.data.invitations], ['member', undefined])
      assert.equal(seen.body.data.members.length, 2)
    })

    test('ORG-5: an organization that owns apps is not deleted, whoever comes first', async () => {
      const ada = await person('ada')
      for (let round = 0; round < 10; round += 1) {
        const { id, slug } = await createWith(ada, [])
        const packageName = `org.example.race${count}`
        const [registered, deleted] = await Promise.all([
          cloud.operator.apps
            .register({ packageName, name: 'A', publicUrl: 'https://a.example.org', organizationId: id }, 1)
            .then(
              () => true,
              () => false,
            ),
          statusOf(ada.call('DELETE', `/${id}`)),
        ])
        assert.deepEqual([registered, deleted], registered ? [true, 409] : [false, 200])
        const app = await cloud.operator.apps.findByPackage(packageName)
        assert.equal(app?.organization?.slug, registered ? slug : undefined)
        assert.equal(await statusOf(ada.call('GET', `/${id}`)), registered ? 200 : 404)
      }
    })

    test('ORG-6: a slug cannot have the form of an id', async () => {
      const ada = await person('ada')
      const { id } = await createWith(ada, [])
      const another = id.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))
      assert.equal(await statusOf(ada.call('POST', '', { name: 'X', slug: another })), 400)
      assert.equal(await statusOf(ada.call('PATCH', `/${id}`, { slug: another })), 400)
    })

    test('ORG-7: the 51st organization is rejected', async () => {
      const ada = await person('ada')
      const { organizations } = cloud.operator
      for (let index = 0; index < 50; index += 1) {
        const { id } = await organizations.ensure(`many-${count}-${index}`, {}, 1)
        await organizations.addMember(id, ada.id, 'member', 1)
      }
      assert.equal(await statusOf(ada.call('POST', '', { name: 'One more' })), 409)
      const bob = await person('bob')
      const { id } = await createWith(bob, [])
      await bob.call('POST', `/${id}/members`, { email: ada.email })
      const token = invitedToken()
      assert.equal(await statusOf(ada.call('POST', `/accept/${token}`)), 409)
      const [first] = await organizations.organizationsOf(ada.id)
      await organizations.removeMember(String(first?.organization.id), ada.id)
      assert.equal(await statusOf(ada.call('POST', `/accept/${token}`)), 200)
    })

    test('ORG-7: eighty organizations at once', async () => {
      const ada = await person('ada')
      const statuses = await Promise.all(
        Array.from({ length: 80 }, (_, index) =>
          statusOf(ada.call('POST', '', { name: `Parallel ${count} ${index}` })),
        ),
      )
      assert.equal(statuses.filter((status) => status === 200).length, 50)
      assert.equal((await cloud.operator.organizations.organizationsOf(ada.id)).length, 50)
    })

    test('ORG-10 ORG-11: administrators change roles and remove; a removed member loses access at once', async () => {
      const [ada, bob] = [await person('ada'), await person('bob')]
      const { id } = await createWith(ada, [[bob, 'member']])
      const packageName = `org.example.shared${count}`
      const app = { packageName, name: 'A', publicUrl: 'https://a.example.org', organizationId: id }
      await cloud.operator.apps.register(app, 1)
      const token = await cloud.token(bob.email, { lifetimeMs: 30 * DAY_MS })
      const permissions = () => statusOf(cloud.request('GET', `/api/permissions/${packageName}`, { token }))
      assert.equal(await permissions(), 200)
      assert.equal(await statusOf(ada.call('PATCH', `/${id}/members/${bob.id}`, { role: 'admin' })), 200)
      assert.equal((await bob.call('GET', `/${id}`)).body.data.role, 'admin')
      assert.equal(await statusOf(ada.call('PATCH', `/${id}/members/${bob.id}`, { role: 'owner' })), 400)
      assert.equal(await statusOf(ada.call('PATCH', `/${id}/members/nobody`, { role: 'admin' })), 404)
      assert.equal(await statusOf(ada.call('DELETE', `/${id}/members/${bob.id}`)), 200)
      assert.equal(await permissions(), 403)
      assert.equal(await statusOf(bob.call('GET', `/${id}`)), 404)
      assert.equal(await statusOf(ada.call('DELETE', `/${id}/members/${bob.id}`)), 404)
    })

    test('ORG-12: of two administrators who leave or step down at once, one remains', async () => {
      for (let round = 0; round < 8; round += 1) {
        const [ada, bob] = [await person('ada'), await person('bob')]
        const { id } = await createWith(ada, [[bob, 'admin']])
        const isLeaving = round % 2 === 0
        const leave = ({ id: userId, call }: Person) => {
          const path = `/${id}/members/${userId}`
          return statusOf(isLeaving ? call('DELETE', path) : call('PATCH', path, { role: 'member' }))
        }
        assert.deepEqual((await Promise.all([leave(ada), leave(bob)])).sort(), [200, 409])
        const members = await cloud.operator.organizations.membersOf(id)
        assert.equal(members.filter(({ role }) => role === 'admin').length, 1)
      }
    })

    test('ORG-13: the last administrator deletes the account', async () => {
      const [ada, bob, cleo] = [await person('ada'), await person('bob'), await person('cleo')]
      const { id } = await createWith(ada, [])
      const { organizations } = cloud.operator
      await organizations.addMember(id, cleo.id, 'member', clock.now() + 2)
      await organizations.addMember(id, bob.id, 'member', clock.now() + 1)
      const token = await cloud.token(ada.email, { lifetimeMs: 30 * DAY_MS })
      assert.equal(await statusOf(cloud.request('POST', '/api/account/request-deletion', { token })), 200)
      const roles = (await organizations.membersOf(id)).map(({ email, role }) => [email, role])
      assert.deepEqual(roles, [
        [bob.email, 'admin'],
        [cleo.email, 'member'],
      ])
    })

    test('ORG-20 ORG-21: only the invited address accepts, once', async () => {
      const [ada, bob, eve] = [await person('ada'), await person('bob'), await person('eve')]
      const { id } = await createWith(ada, [])
      const invited = await ada.call('POST', `/${id}/members`, {
        email: bob.email.toUpperCase(),
        role: 'admin',
      })
      assert.equal(invited.status, 200)
      const token = invitedToken()
      assert.ok(!JSON.stringify(invited.body).includes(token))
      assert.equal(await statusOf(eve.call('POST', `/accept/${token}`)), 403)
      const accepted = await Promise.all([1, 2, 3].map(() => statusOf(bob.call('POST', `/accept/${token}`))))
      assert.deepEqual(accepted, [200, 200, 200])
      assert.equal(await statusOf(eve.call('POST', `/accept/${token}`)), 404)
      const { members, invitations } = (await ada.call('GET', `/${id}`)).body.data
      assert.deepEqual(
        members.map(({ email, role }) => [email, role]),
        [
          [ada.email, 'admin'],
          [bob.email, 'admin'],
        ],
      )
      assert.deepEqual(invitations, [])
      assert.equal(await statusOf(ada.call('POST', `/${id}/members`, { email: 'nobody' })), 400)
    })

    test('ORG-27: an accepted invitation confirms its address', async () => {
      const [ada, bob] = [await person('ada'), await person('bob')]
      const { users } = cloud.operator
      const unconfirmed = { email_verified: 0 }
      await cloud.cloud.db.updateTable('users').set(unconfirmed).where('email', '=', bob.email).execute()
      const { id } = await createWith(ada, [])
      await ada.call('POST', `/${id}/members`, { email: bob.email })
      const token = invitedToken()
      assert.equal((await users.findByEmail(bob.email))?.isEmailVerified, false)
      assert.equal(await statusOf(bob.call('POST', `/accept/${token}`)), 200)
      assert.equal((await users.findByEmail(bob.email))?.isEmailVerified, true)
    })

    test('ORG-20 ORG-28: the link of the person who invites makes a member, and confirms nothing', async () => {
      const [ada, bob, eve] = [await person('ada'), await person('bob'), await person('eve')]
      const { users } = cloud.operator
      const unconfirmed = { email_verified: 0 }
      await cloud.cloud.db.updateTable('users').set(unconfirmed).where('email', '=', bob.email).execute()
      const { id } = await createWith(ada, [])
      const handed = ({ body }: { body: { data: unknown } }) => {
        const { link, isMailed } = body.data as { link: string; isMailed: boolean }
        assert.equal(isMailed, false)
        const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
        assert.ok(token)
        return token
      }
      const first = await ada.call('POST', `/${id}/members`, { email: bob.email })
      const replaced = handed(first)
      const token = handed(await ada.call('POST', `/${id}/invitations/${first.body.data.id}/resend`))
      const mailed = invitedToken()
      assert.ok(![replaced, token].includes(mailed))
      assert.equal(await statusOf(bob.call('POST', `/accept/${replaced}`)), 404)
      assert.equal(await statusOf(eve.call('POST', `/accept/${token}`)), 403)

      // Whoever invites has the link: signing up with it neither confirms the address nor claims its account.
      const strange = `stranger-${id}@example.org`
      const invited = handed(await ada.call('POST', `/${id}/members`, { email: strange }))
      const password = 'correct horse battery'
      const signUp = () =>
        cloud.request<{ user?: { emailVerified: boolean } }>('POST', '/api/auth/sign-up/email', {
          headers: { origin: cloud.url },
          body: { email: strange, password, invitation: invited, setUpCode: setUpCodeOf(testSecret) },
        })
      await cloud.operator.users.setAdministrator(ada.id, true, clock.now())
      assert.equal((await signUp()).body.user?.emailVerified, false)
      const account = await users.findByEmail(strange)
      assert.equal((await signUp()).status, 422)
      assert.deepEqual(await users.findByEmail(strange), account)

      assert.equal(await statusOf(bob.call('POST', `/accept/${token}`)), 200)
      assert.equal((await users.findByEmail(bob.email))?.isEmailVerified, false)
      assert.equal(await statusOf(bob.call('POST', `/accept/${mailed}`)), 200)
      assert.equal((await users.findByEmail(bob.email))?.isEmailVerified, false)
      assert.equal(await statusOf(bob.call('DELETE', `/${id}/members/${bob.id}`)), 200)
      assert.equal(await statusOf(bob.call('POST', `/accept/${mailed}`)), 404)
      const { invitations } = (await ada.call('GET', `/${id}`)).body.data
      assert.ok(!/token|link/.test(JSON.stringify(invitations)))
    })

    test('ORG-22 ORG-23: expired, rescinded and replaced tokens are invalid', async () => {
      const [ada, bob] = [await person('ada'), await person('bob')]
      const { id } = await createWith(ada, [])
      const invite = async () => {
        const { body } = await ada.call('POST', `/${id}/members`, { email: bob.email })
        return { invitation: body.data.id, token: invitedToken() }
      }
      const accept = (token: string) => statusOf(bob.call('POST', `/accept/${token}`))
      const first = await invite()
      const second = await invite()
      assert.equal(await accept(first.token), 404)
      assert.equal(await statusOf(ada.call('DELETE', `/${id}/invitations/${second.invitation}`)), 200)
      assert.equal(await statusOf(ada.call('DELETE', `/${id}/invitations/${second.invitation}`)), 404)
      assert.equal(await accept(second.token), 404)
      const third = await invite()
      clock.advance(6 * DAY_MS)
      assert.equal(await statusOf(ada.call('POST', `/${id}/invitations/${third.invitation}/resend`)), 200)
      const resent = invitedToken()
      assert.notEqual(resent, third.token)
      assert.equal(await accept(third.token), 404)
      clock.advance(7 * DAY_MS)
      assert.equal(await accept(resent), 404)
      assert.deepEqual((await ada.call('GET', `/${id}`)).body.data.invitations, [])
      const last = await invite()
      clock.advance(7 * DAY_MS - 1)
      assert.equal(await accept(last.token), 200)
    })

    test('ORG-24: members are not invited, and invitations are limited', async (t) => {
      const ada = await person('ada')
      const { id } = await createWith(ada, [])
      assert.equal(await statusOf(ada.call('POST', `/${id}/members`, { email: ada.email })), 409)
      const limited = await startCloud(t, { env: { REST_LIMIT_PER_MINUTE: '10' } })
      const token = await limited.token('ada@example.org')
      const call = (path: string, body: object) =>
        statusOf(limited.request('POST', `/api/console/orgs${path}`, { token, body }))
      assert.equal(await call('', { name: 'Acme' }), 200)
      for (const [guest, status] of [
        ['a', 200],
        ['b', 200],
        ['c', 429],
      ] as const)
        assert.equal(await call('/acme/members', { email: `${guest}@example.org` }), status)
    })

    test('ORG-8 ORG-26: a name with an address or link is rejected, and an earlier one not sent', async () => {
      const ada = await person('ada')
      const { id } = await createWith(ada, [])
      for (const name of [
        'Win at evil.example',
        'https://evil',
        'www.evil',
        'Write to ada@evil',
        'ada＠evil',
        'two\nlines',
        'a\u202eb',
        'a\u200bb',
        'ｅｖｉｌ．ｃｏｍ',
      ]) {
        const created = await ada.call('POST', '', { name, slug: `bad-${count}` })
        assert.equal(created.status, 400, name)
        assert.equal(await statusOf(ada.call('PATCH', `/${id}`, { name })), 400, name)
      }
      assert.equal(
        await statusOf(ada.call('PATCH', `/${id}`, { name: 'Müller & Söhne Inc. – 2. Team' })),
        200,
      )
      const sent = () => cloud.logged.findLast(({ to }) => String(to).startsWith('guest'))
      await ada.call('POST', `/${id}/members`, { email: 'guest@example.org' })
      assert.match(String(sent()?.msg), /: Invitation to an organization$/)
      assert.deepEqual(
        ['Acme', 'کتاب\u200cخانه', 'Family 👨\u200d👩\u200d👧', '❤\ufe0f\u200d🔥', 'Acme evil.example'].map(
          isPlainName,
        ),
        [true, true, true, true, false],
        'the message names the organization only then',
      )
    })

    test('ORG-26: a sender and a recipient have a number of invitations a day', async () => {
      const ada = await person('ada')
      const { id } = await createWith(ada, [])
      const invite = (by: Person, organization: string, email: string) =>
        by.call('POST', `/${organization}/members`, { email })
      const first = await invite(ada, id, 'often@example.org')
      const { id: invitationId } = first.body.data
      const resend = () => statusOf(ada.call('POST', `/${id}/invitations/${invitationId}/resend`))
      assert.deepEqual([await resend(), await resend(), await resend()], [200, 200, 429])
      assert.equal((await invite(ada, id, 'other@example.org')).status, 200)
      const statuses: number[] = []
      for (let n = 0; n < 4; n += 1) {
        const sender = await person('sender')
        const own = await createWith(sender, [])
        for (let again = 0; again < 2; again += 1)
          statuses.push((await invite(sender, own.id, 'often@example.org')).status)
      }
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 429])
      const many = await Promise.all(
        Array.from({ length: 100 }, (_, n) => statusOf(invite(ada, id, `many-${n}@example.org`))),
      )
      assert.ok(many.includes(429), 'a hundred in all')
      clock.advance(DAY_MS)
      assert.equal((await invite(ada, id, 'often@example.org')).status, 200)
    })

    test('ORG-25: an invitation is exported to its address and deleted with the account', async () => {
      const [ada, bob] = [await person('ada'), await person('bob')]
      const { id, name } = await createWith(ada, [])
      await ada.call('POST', `/${id}/members`, { email: bob.email })
      const section = cloud.cloud.features.personalData.exportSections.find(
        (one) => one.name === 'invitations',
      )
      const { value } = (await section?.facts(bob, 'json')[Symbol.asyncIterator]().next()) ?? {}
      assert.ok(value)
      assert.equal((value.value as { organization: string }).organization, name)
      const confirm = (isConfirmed: 0 | 1) =>
        cloud.cloud.db
          .updateTable('users')
          .set({ email_verified: isConfirmed })
          .where('id', '=', bob.id)
          .execute()
      await confirm(0)
      assert.equal((await section?.facts(bob, 'json')[Symbol.asyncIterator]().next())?.done, true)
      await confirm(1)
      const token = await cloud.token(bob.email, { lifetimeMs: 30 * DAY_MS })
      await cloud.request('POST', '/api/account/request-deletion', { token })
      assert.deepEqual((await ada.call('GET', `/${id}`)).body.data.invitations, [])
    })
  })
})
