import '../../../test/dom.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fireEvent, render, screen } from '@testing-library/react'
import { createElement } from 'react'

const { NewPasswordField } = await import('./NewPasswordField.tsx')

/** Loading the dictionaries takes a second, on a slow machine more. */
const LOAD_TIMEOUT_MS = 20_000

function renderField(): HTMLInputElement {
  const field = createElement(NewPasswordField, { email: 'ada@example.org' })
  render(createElement('form', { 'aria-label': 'Form' }, field))
  return screen.getByLabelText('Password')
}

test('CON-142: a password is judged as it is typed', async () => {
  const input = renderField()
  fireEvent.focus(input)
  const expected: [password: string, words: RegExp][] = [
    ['password', /most used/],
    ['ada@example.org', /your e-mail address/],
    ['Passw0rd!!', /Easy to guess/],
    ['battery staple', /Good/],
    ['correct horse battery', /Strong/],
  ]
  for (const [password, words] of expected) {
    fireEvent.change(input, { target: { value: password } })
    await screen.findByText(words, {}, { timeout: LOAD_TIMEOUT_MS })
  }
  fireEvent.change(input, { target: { value: 'short' } })
  assert.equal(screen.queryByRole('status'), null)
})

test('CON-142: a password is shown, until the form is sent', () => {
  const input = renderField()
  assert.equal(input.type, 'password')
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }))
  assert.equal(input.type, 'text')
  fireEvent.submit(screen.getByRole('form'))
  assert.equal(input.type, 'password')
})
