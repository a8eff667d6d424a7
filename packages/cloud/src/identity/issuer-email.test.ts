import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIssuerEmail } from './issuer-email.ts'

const email = 'Ann@Example.com'
const read = (claims: Record<string, unknown>, settings: Parameters<typeof readIssuerEmail>[1] = {}) => {
  const { email: found, emailProblem } = readIssuerEmail(claims, settings)
  return found ?? emailProblem?.code
}

test('OIDC-13: what counts as verified', () => {
  for (const verified of [true, 'true', 'True', 1, '1'])
    assert.equal(read({ email, email_verified: verified }), email, String(verified))
  for (const verified of [undefined, null, false, 'false', 0, '0', 2, 'yes', '', {}, [], [true, false]])
    assert.equal(read({ email, email_verified: verified }), 'OIDC_EMAIL_NOT_VERIFIED', String(verified))
  assert.equal(read({ email, email_verified: false }, { trustEmail: true }), email)
  assert.equal(read({ email, xms_edov: 1 }, { emailVerifiedClaim: 'xms_edov' }), email)
  assert.equal(
    read({ email, email_verified: true }, { emailVerifiedClaim: 'xms_edov' }),
    'OIDC_EMAIL_NOT_VERIFIED',
  )
})

test('OIDC-13: where the address is', () => {
  for (const found of [undefined, null, '', 'ann', 5, {}, [], [5]])
    assert.equal(read({ email: found, email_verified: true }), 'OIDC_EMAIL_MISSING', String(found))
  const upn = { emailClaim: 'upn', trustEmail: true }
  assert.equal(read({ upn: email, email: 'x@example.com' }, upn), email)
  assert.equal(read({ email }, upn), 'OIDC_EMAIL_MISSING')
  assert.equal(read({ emails: [email, 'x@example.com'] }, { emailClaim: 'emails', trustEmail: true }), email)
})
