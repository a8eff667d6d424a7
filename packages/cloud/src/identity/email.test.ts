import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayNameOf } from './email.ts'

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
})

test('CAT-64: an e-mail address and its local part are never shown as a name', () => {
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
  ]
  for (const name of revealing) {
    assert.equal(shown(name, 'Ada Lovelace'), 'Ada Lovelace', name)
    assert.equal(shown(name, name), undefined, name)
  }
})
