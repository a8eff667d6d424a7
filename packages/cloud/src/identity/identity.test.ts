import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../db/testing.ts'
import { networkOf } from '../http/request-origin.ts'
import { displayNameOf } from './email.ts'
import { InvitationStore } from './invitation-store.ts'
import { toAddress } from './login-store.ts'
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

test('AUTH-67: an address is stored as IPv4 where it is one, and any other text is not', () => {
  assert.equal(toAddress('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(toAddress('2001:db8::1'), '2001:db8::1')
  assert.equal(toAddress('anything'), undefined)
})

test('HTTP-58: a client that has disconnected has no address', () => {
  assert.equal(toAddress(undefined), undefined)
  assert.equal(networkOf(undefined), 'disconnected')
})

const shown = (displayName: string | undefined, name: string) =>
  displayNameOf({
    email: 'ada.l@example.com',
    name,
    profile: displayName === undefined ? {} : { displayName },
  })

test('CAT-64: a developer is shown with the display name, otherwise with the name', () => {
  assert.equal(shown('Countess', 'Ada Lovelace'), 'Countess')
  assert.equal(shown(undefined, 'Ada Lovelace'), 'Ada Lovelace')
  assert.equal(shown('  ', 'Ada Lovelace'), 'Ada Lovelace')
  assert.equal(shown('Ada\n\t of \0 London ', ''), 'Ada of London')
  assert.equal(shown('@ada', ''), '@ada')
  assert.equal(shown('x'.repeat(1_000), '')?.length, 200)
  assert.equal(shown('', ''), undefined)
  assert.equal(shown('\u200b\u3164', 'Ada Lovelace'), 'Ada Lovelace')
  assert.equal(shown(`${'x'.repeat(199)}😀`, ''), 'x'.repeat(199), 'not cut within a character')
})

test('CAT-64: names with an e-mail address or its local part', () => {
  const revealing = [
    'ada.l@example.com',
    ' ADA.L@Example.com ',
    'ada.l@example',
    'Ada <ada.l@example.com>',
    'other@example.org',
    'ada.l＠example.com',
    'ada.l',
    'Ada.L',
    'ａｄａ.l',
    'ada\u200b.l\ufeff',
  ]
  for (const name of revealing) {
    assert.equal(shown(name, 'Ada Lovelace'), 'Ada Lovelace', name)
    assert.equal(shown(name, name), undefined, name)
  }
})
