import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { PhotoDeliveryStore } from './photo-delivery-store.ts'
import { PhotoLinks } from './photo-links.ts'

const claim = {
  kind: 'requested',
  packageName: 'dev.example.a',
  requestId: 'r1',
  saveToGallery: false,
  route: 'socket',
  authToken: undefined,
} as const

eachDatabase(({ open }) => {
  async function setUp(t: Parameters<typeof open>[0], inGallery: readonly string[] = []) {
    const db = await open(t)
    const { id: userId } = await new UserStore(db).findOrCreate('ada@example.com', 1)
    const clock = new VirtualClock(1_000_000)
    const discarded: string[] = []
    const gallery = {
      find: async (id: string) => (inGallery.includes(id) ? ({ id } as never) : undefined),
      discard: async ({ id }: { readonly id: string }) => void discarded.push(id),
    }
    const deliveries = new PhotoDeliveryStore(db, ['secret'])
    const createLinks = (...secrets: string[]) =>
      new PhotoLinks({
        deliveries,
        gallery,
        secrets,
        publicUrl: () => new URL('https://cloud.test/base/'),
        clock,
        log: pino({ enabled: false }),
      })
    const links = createLinks('secret')
    const share = async (id: string) => {
      const url = await links.create({ id, userId, type: 'image/png', size: 7 }, claim)
      const [, signature = ''] =
        new RegExp(`^https://cloud.test/base/api/photos/shared/${id}/(.+)$`).exec(url) ?? []
      return signature
    }
    return { db, userId, clock, discarded, deliveries, links, createLinks, share }
  }

  test('PHO-36: an address is valid for its photo only, on every node, for five minutes', async (t) => {
    const { userId, clock, discarded, deliveries, links, createLinks, share } = await setUp(t, ['kept'])
    const one = await share('one')
    const kept = await share('kept')
    const photo = { id: 'one', userId, type: 'image/png', size: 7 }
    assert.deepEqual(await links.find('one', one), photo)
    assert.deepEqual(
      await createLinks('new', 'secret').find('one', one),
      photo,
      'after a change of the secret',
    )
    assert.equal(await createLinks('another').find('one', one), undefined)
    for (const [id, signature] of [
      ['one', kept],
      ['kept', one],
      ['one', ''],
      ['one', one.slice(1)],
    ] as const)
      assert.equal(await links.find(id, signature), undefined)
    assert.equal(await deliveries.leases.claim('relay', clock.now() + 300_001), undefined, 'not a delivery')
    clock.advance(299_999)
    assert.ok(await links.find('one', one))
    clock.advance(1)
    assert.equal(await links.find('one', one), undefined)
    links.start()
    await links.stop()
    assert.deepEqual(discarded, ['one'], 'the file of a photo in the gallery is kept')
    assert.deepEqual(await deliveries.listByUser(userId), [])
  })

  test('PHO-37: a user has at most twenty addresses; a further one replaces the oldest', async (t) => {
    const { clock, discarded, links, share } = await setUp(t)
    const signatures: string[] = []
    for (let n = 0; n < 21; n += 1) {
      signatures.push(await share(`p${n}`))
      clock.advance(1)
    }
    assert.deepEqual(discarded, ['p0'])
    assert.equal(await links.find('p0', signatures[0] ?? ''), undefined)
    assert.ok(await links.find('p1', signatures[1] ?? ''))
  })

  test('PHO-38: an address ends with its user', async (t) => {
    const { db, userId, links, share } = await setUp(t)
    const signature = await share('one')
    await db.deleteFrom('users').where('id', '=', userId).execute()
    assert.equal(await links.find('one', signature), undefined)
  })
})
