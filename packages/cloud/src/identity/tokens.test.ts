import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { createSigner } from 'fast-jwt'
import { normalizeEmail } from './email.ts'
import { Tokens } from './tokens.ts'

const secret = 'thirty-two characters at the least'
const tokens = new Tokens({ secret, acceptNonExpiring: false })
const user = { id: 'u1', email: 'a@b.de', tokensValidFrom: 0 }
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

function signed(claims: object, key = secret, algorithm: 'HS256' | 'HS512' = 'HS256'): string {
  return createSigner({ key, algorithm })(claims)
}

function payloadOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

describe('tokens', () => {
  test('AUTH-1: a token has the documented claims and expires after 24 hours', () => {
    const before = Math.floor(Date.now() / 1000)
    const token = tokens.issue(user)
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    assert.equal(header.alg, 'HS256')
    const { sub, email, iat, exp, jti, ...more } = payloadOf(token)
    assert.deepEqual([sub, email, more], ['u1', 'a@b.de', {}])
    assert.ok(Number(iat) >= before && Number(iat) <= before + 5)
    assert.equal(Number(exp) - Number(iat), 24 * 60 * 60)
    assert.notEqual(jti, payloadOf(tokens.issue(user)).jti)
    assert.deepEqual(tokens.read(token), {
      ok: true,
      claims: {
        sub: 'u1',
        email: 'a@b.de',
        scope: 'core',
        issuedAt: Number(iat) * 1000,
        lifetimeMs: 86_400_000,
        expiresAt: (Number(exp) + 60) * 1000,
        loginId: undefined,
        isOwn: true,
      },
    })
    const short = payloadOf(tokens.issue(user, { lifetimeMs: 90_000 }))
    assert.equal(Number(short.exp) - Number(short.iat), 90)
  })

  test('AUTH-2: other algorithms, signatures and claims are rejected', () => {
    const [header = '', payload = '', signature = ''] = tokens.issue(user).split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const none = `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`
    const changed = `${header}.${encode({ ...payloadOf(`.${payload}.`), sub: 'u2' })}.${signature}`
    const claims = { sub: 'u1', email: 'a@b.de', exp: inAnHour() }
    const hs512 = signed(claims, secret, 'HS512')
    const otherKey = signed(claims, 'another key of at least 32 characters')
    const emptyKey = (() => {
      const head = `${encode({ alg: 'HS256' })}.${encode(claims)}`
      return `${head}.${createHmac('sha256', '').update(head).digest('base64url')}`
    })()
    for (const token of [none, changed, hs512, otherKey, emptyKey, '', 'a.b.c', `${header}.${payload}`]) {
      assert.deepEqual(tokens.read(token), { ok: false, reason: 'invalid' }, token)
    }
    assert.equal(tokens.read(signed(claims)).ok, true)
  })

  test('AUTH-2: malformed claims are rejected', () => {
    const exp = inAnHour()
    for (const claims of [
      { email: 'a@b.de', exp },
      { sub: 'u1', exp },
      { sub: '', email: 'a@b.de', exp },
      { sub: { $ne: '' }, email: 'a@b.de', exp },
      { sub: 'u1', email: 'a@b.de', exp, scope: ['glasses'] },
    ]) {
      assert.equal(tokens.read(signed(claims)).ok, false, JSON.stringify(claims))
    }
  })

  test('AUTH-3: a clock skew of one minute is tolerated', () => {
    const now = Math.floor(Date.now() / 1000)
    assert.equal(tokens.read(signed({ sub: 'u1', email: 'a@b.de', exp: now - 30 })).ok, true)
    const expired = tokens.read(signed({ sub: 'u1', email: 'a@b.de', exp: now - 90 }))
    assert.deepEqual(expired, { ok: false, reason: 'expired' })
  })

  test('AUTH-5: a token without exp is accepted only if configured', () => {
    const token = signed({ sub: 'u1', email: 'a@b.de' })
    assert.deepEqual(tokens.read(token), { ok: false, reason: 'invalid' })
    const lenient = new Tokens({ secret, acceptNonExpiring: true })
    assert.equal(lenient.read(token).ok, true)
    assert.equal(lenient.read(signed({ sub: 'u1', email: 'a@b.de', exp: 1 })).ok, false)
  })

  test('AUTH-8: an unknown scope is rejected', () => {
    const scopeOf = (scope?: string) => {
      const reading = tokens.read(
        signed({ sub: 'u1', email: 'a@b.de', exp: inAnHour(), ...(scope && { scope }) }),
      )
      return reading.ok ? reading.claims.scope : reading.reason
    }
    assert.deepEqual([scopeOf(), scopeOf('glasses'), scopeOf('admin')], ['core', 'glasses', 'invalid'])
  })

  test('AUTH-9: e-mail addresses are trimmed, lower-cased and validated', () => {
    assert.equal(normalizeEmail('  Some.One+x@Example.ORG '), 'some.one+x@example.org')
    assert.equal(normalizeEmail('a-b@c-d.de'), 'a-b@c-d.de')
    assert.equal(normalizeEmail('\ufeff\u200ea@b.de\u200b '), 'a@b.de', 'as it was copied')
    assert.equal(normalizeEmail('Jose\u0301@b.de'), 'josé@b.de')
    for (const odd of [
      '',
      'a',
      '@b.de',
      'a@',
      'a@b@c',
      'a b@c.de',
      'a@b\0.de',
      `${'x'.repeat(250)}@b.de`,
      'a/b@c.de',
      'mi\u212ae@example.org',
      'a\u200bb@c.de',
    ]) {
      assert.equal(normalizeEmail(odd), undefined, JSON.stringify(odd))
    }
  })
})
