import '../test/dom.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createElement } from 'react'

const { createMemoryHistory, createRootRoute, createRouter, RouterProvider } = await import(
  '@tanstack/react-router'
)
const { useUrlChoice, useUrlText } = await import('./url-state.ts')

function Controls() {
  const [show, setShow] = useUrlChoice('show', ['all', 'active'])
  const [text, setText] = useUrlText('q')
  return createElement(
    'div',
    {},
    createElement('button', { type: 'button', onClick: () => setShow('active') }, `shows ${show}`),
    createElement('button', { type: 'button', onClick: () => setShow('all') }, 'reset'),
    createElement('input', { value: text, onChange: ({ currentTarget }) => setText(currentTarget.value) }),
  )
}

async function open(address: string) {
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({ routeTree: createRootRoute({ component: Controls }), history })
  await act(() => router.load())
  render(createElement(RouterProvider<typeof router>, { router }))
  const input = await screen.findByRole('textbox')
  assert.ok(input instanceof HTMLInputElement)
  return { history, input, search: () => history.location.search }
}

test('an address with choices and texts shows them; unknown choices are the default', async () => {
  const { input } = await open('/?show=active&q=123')
  screen.getByText('shows active')
  assert.equal(input.value, '123')
})

test('a choice and a text replace those of the address; defaults are left out', async () => {
  const { history, input, search } = await open('/?show=nonsense&other=1')
  fireEvent.click(screen.getByText('shows all'))
  await screen.findByText('shows active')
  fireEvent.change(input, { target: { value: 'ada' } })
  assert.equal(input.value, 'ada', 'the field does not wait for the address')
  await waitFor(() => assert.equal(search(), '?show=active&other=1&q=ada'))
  fireEvent.click(screen.getByText('reset'))
  await waitFor(() => assert.equal(search(), '?other=1&q=ada'))
  assert.equal(history.length, 1, 'nothing is added to the history')
  act(() => history.push('/?q=grace'))
  await waitFor(() => assert.equal(input.value, 'grace'))
})
