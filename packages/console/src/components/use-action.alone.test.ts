import '../../test/dom.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'

const { ActionForm } = await import('./ActionForm.tsx')
const { Button } = await import('./Button.tsx')
const { TextField } = await import('./TextField.tsx')
const { Toasts } = await import('./Toasts.tsx')
const { useAction } = await import('./use-action.ts')

function createWrapper() {
  // Collecting finished mutations later would keep the process alive.
  const client = new QueryClient({ defaultOptions: { mutations: { gcTime: Number.POSITIVE_INFINITY } } })
  return ({ children }: { readonly children: ReactNode }) =>
    createElement(QueryClientProvider, { client }, children, createElement(Toasts))
}

/** An action whose calls the test ends. */
function createCalls() {
  const calls: { input: string; resolve: (result: string) => void; reject: (error: unknown) => void }[] = []
  const perform = (input: string) =>
    new Promise<string>((resolve, reject) => calls.push({ input, resolve, reject }))
  /** Waits for a call: a mutation calls its function later. */
  const callOf = (index: number) =>
    waitFor(() => {
      const call = calls[index]
      assert.ok(call)
      return call
    })
  return { calls, perform, callOf }
}

test('an action is not started again while it is pending', async () => {
  const { calls, perform, callOf } = createCalls()
  const { result } = renderHook(() => useAction(perform), { wrapper: createWrapper() })
  act(() => {
    result.current.run('one')
    result.current.run('two')
  })
  await waitFor(() => assert.equal(result.current.isPending, true))
  act(() => result.current.run('three'))
  const call = await callOf(0)
  await act(async () => call.resolve('done'))
  await waitFor(() => assert.equal(result.current.isDone, true))
  assert.deepEqual(
    calls.map(({ input }) => input),
    ['one'],
  )
  assert.deepEqual([result.current.input, result.current.result], ['one', 'done'])
  act(() => result.current.run('four'))
  assert.equal((await callOf(1)).input, 'four')
})

test('the error of an action is kept until it is reset or started again', async () => {
  const { perform, callOf } = createCalls()
  const failures: Error[] = []
  const options = { onFailure: (error: Error) => failures.push(error) }
  const { result } = renderHook(() => useAction(perform, options), { wrapper: createWrapper() })
  act(() => result.current.run('one'))
  const call = await callOf(0)
  await act(async () => call.reject('no error object'))
  await waitFor(() => assert.equal(result.current.error?.message, 'no error object'))
  assert.deepEqual(failures, [result.current.error])
  act(() => result.current.reset())
  await waitFor(() => assert.equal(result.current.error, undefined))
})

test('success is reported in the words of the moment at which the action was started', async () => {
  const { perform, callOf } = createCalls()
  const { result, rerender } = renderHook(
    ({ name }) => useAction(perform, { success: (done, input) => `${name}: ${input} is ${done}` }),
    { wrapper: createWrapper(), initialProps: { name: 'before' } },
  )
  act(() => result.current.run('one'))
  const call = await callOf(0)
  rerender({ name: 'after' })
  await act(async () => call.resolve('done'))
  await screen.findByText('before: one is done')
})

test('a button that works says so, keeps the focus, and cannot be pressed', async () => {
  const region = document.body.appendChild(document.createElement('p'))
  region.id = 'announcements'
  let presses = 0
  const show = (isPending: boolean) =>
    createElement(Button, { isPending, type: 'submit', onPress: () => presses++ }, 'Save')
  const { rerender } = render(show(false))
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  act(() => button.focus())
  fireEvent.click(button)
  rerender(show(true))
  fireEvent.click(button)
  assert.deepEqual([presses, button.type, button.getAttribute('aria-disabled')], [1, 'button', 'true'])
  assert.equal(region.textContent, 'Save: in progress')
  assert.equal(document.activeElement, button)
  rerender(show(false))
  assert.equal(region.textContent, 'Save: ready')
  region.remove()
})

const sent: unknown[] = []

/** A form that is rejected. */
function Form() {
  return ActionForm<void>({
    submitLabel: 'Save',
    onSubmit: async (fields) => {
      sent.push(Object.fromEntries(fields))
      throw new Error('The name is taken')
    },
    children: createElement(TextField, { name: 'name', label: 'Name', defaultValue: 'Ada' }),
  })
}

test('a form sends its fields, and shows why it was rejected above its button', async () => {
  render(createElement(Form), { wrapper: createWrapper() })
  const button = screen.getByRole('button', { name: 'Save' })
  const element = button.closest('form')
  assert.ok(element)
  fireEvent.submit(element)
  await screen.findByText('The name is taken')
  assert.deepEqual(sent, [{ name: 'Ada' }])
})
