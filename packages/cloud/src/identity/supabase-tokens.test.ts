import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../db/testing.ts'
import { InvitationStore } from './invitation-store.ts'
import { OrganizationStore } from './organization-store.ts'
import { createSupabaseReader } from './supabase-tokens.ts'
import { SupabaseProject } from './testing/supabase-project.ts'

describe('invitations', () => {
  eachDatabase(({ open }) => {
    test('ORG-24: pending invitations are limited, also for concurrent ones; expired ones do not count', async (t) => {
      const db = await open(t)
      const { id: organizationId } = await new OrganizationStore(db).ensure('acme', {}, 1)
      const invitations = new InvitationStore(db, 3)
      const add = (name: string, now: number) =>
        invitations.add(
          { organizationId, email: `${name}@example.org`, role: 'member' },
          { hash: `${name} ${now}`, expiresAt: now + 10 },
          now,
        )
      const added = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => add(name, 1)))
      assert.equal(added.filter((outcome) => outcome === 'too_many').length, 2)
      assert.equal(typeof (await add('f', 11)), 'object')
      assert.deepEqual(
        (await invitations.listByOrganization(organizationId, 12)).map(({ email }) => email),
        ['f@example.org'],
      )
    })
  })
})

test('AUTH-74: a new key is looked for every 30 s, and a withdrawn one forgotten after ten minutes', async (t) => {
  const project = await SupabaseProject.start(t)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const read = createSupabaseReader(project, undefined, () => Date.now())
  const keyRequests = () => project.requests.filter((path) => path.endsWith('jwks.json')).length
  const user = project.addUser('ann@example.com')
  const isAccepted = async (token: string) => (await read(token)) !== undefined
  assert.ok(await isAccepted(await project.issue(user)))

  await project.rotateKey()
  const token = await project.issue(user)
  assert.equal(await isAccepted(token), false)
  assert.equal(keyRequests(), 1)
  t.mock.timers.tick(31_000)
  assert.ok(await isAccepted(token))
  assert.equal(keyRequests(), 2)

  await project.rotateKey()
  t.mock.timers.tick(10 * 60_000)
  assert.equal(await isAccepted(token), false, 'signed with a withdrawn key')
  assert.equal(project.requests.filter((path) => path === '/user').length, 2)

  await project.rotateKey()
  t.mock.timers.tick(10 * 60_000)
  project.intercept = (_path, response) => {
    response.writeHead(500).end()
    return true
  }
  const later = await project.issue(user)
  await assert.rejects(read(later), { name: 'IssuerUnavailable' })
  project.intercept = () => false
  await assert.rejects(read(later), { name: 'IssuerUnavailable' })
  t.mock.timers.tick(5_000)
  assert.ok(await isAccepted(later))
})
