import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import { startCloud } from '../support/test-cloud.ts'

const PATH = '/.well-known/security.txt'

const DAY_MS = 24 * 60 * 60_000

describe('security.txt', () => {
  test('HTTP-56: contacts, policy and an end of validity', async (t) => {
    const cloud = await startCloud(t, {
      env: {
        PUBLIC_URL: 'https://cloud.example.org/base/',
        SECURITY_CONTACT: 'security@example.org, https://example.org/report',
        SECURITY_POLICY: 'https://example.org/policy',
      },
    })
    const { status, headers, body } = await cloud.request<string>('GET', PATH)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
    const [mail, page, expires = '', ...rest] = body.split('\n')
    assert.deepEqual(
      [mail, page, ...rest],
      [
        'Contact: mailto:security@example.org',
        'Contact: https://example.org/report',
        'Policy: https://example.org/policy',
        `Canonical: https://cloud.example.org/base${PATH}`,
        'Preferred-Languages: en',
        '',
      ],
    )
    const valid = Date.parse(expires.replace('Expires: ', '')) - Date.now()
    assert.ok(valid > 179 * DAY_MS && valid <= 180 * DAY_MS, expires)
  })

  test('HTTP-56: without a contact there is no file', async (t) => {
    const cloud = await startCloud(t)
    assert.equal((await cloud.request('GET', PATH)).status, 404)
  })

  test('HTTP-56: invalid contacts are rejected', () => {
    for (const contact of ['security', 'http://example.org', 'a b@example.org', 'a@example.org\nPolicy: x'])
      assert.throws(() => readConfig({ SECURITY_CONTACT: contact }), /SECURITY_CONTACT must be/, contact)
    assert.throws(() => readConfig({ SECURITY_POLICY: 'http://example.org' }), /SECURITY_POLICY must be/)
  })
})
