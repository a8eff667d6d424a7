import '../../test/dom.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createElement } from 'react'

const { ActionForm } = await import('./ActionForm.tsx')
const { TextField } = await import('./TextField.tsx')

function RejectedForm({ message }: { readonly message: string }) {
  return ActionForm<void>({
    submitLabel: 'Save',
    onSubmit: async () => {
      throw new Error(message)
    },
    children: [
      createElement(TextField, { key: 1, name: 'name', label: 'Name' }),
      createElement(TextField, { key: 2, name: 'displayName', label: 'Display name' }),
    ],
  })
}

/** Renders a form with two fields whose sending fails with a message, and sends it. */
function sendForm(message: string) {
  // Collecting finished mutations later would keep the process alive.
  const client = new QueryClient({ defaultOptions: { mutations: { gcTime: Number.POSITIVE_INFINITY } } })
  render(createElement(QueryClientProvider, { client }, createElement(RejectedForm, { message })))
  const button = screen.getByRole('button', { name: 'Save' })
  const element = button.closest('form')
  assert.ok(element)
  fireEvent.submit(element)
}

test('a rejection that names a field is shown there, in the words of the form, and focuses it', async () => {
  sendForm('displayName must not be empty')
  const field = await waitFor(() => {
    const found = screen.getByLabelText('Display name')
    assert.equal(found.getAttribute('aria-invalid'), 'true')
    return found
  })
  assert.equal(document.activeElement, field)
  const description = field.getAttribute('aria-describedby')?.split(' ') ?? []
  const texts = description.map((id) => document.getElementById(id)?.textContent)
  assert.deepEqual(texts, ['Must not be empty'])
  assert.equal(screen.queryByRole('alert'), null)
})

test('the message of a field goes as it is corrected, not when a press takes the focus', async () => {
  sendForm('displayName must not be empty')
  const field = screen.getByLabelText('Display name')
  await waitFor(() => assert.equal(field.getAttribute('aria-invalid'), 'true'))
  fireEvent.input(field, { target: { value: 'Ada' } })
  await waitFor(() => assert.ok(screen.queryByText('Must not be empty') === null))
  document.body.replaceChildren()
})

test('a rejection that names no field of the form is a message with the focus', async () => {
  for (const message of ['The name is taken', 'email must be an e-mail address']) {
    sendForm(message)
    const alert = await screen.findByText(message)
    assert.equal(document.activeElement, alert.closest('[role="alert"]'))
    document.body.replaceChildren()
  }
})
