import '../../../test/dom.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createElement } from 'react'
import type { App } from '../../api/apps.ts'

const { SearchableApps } = await import('./SearchableApps.tsx')

const appsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    packageName: `com.example.app${index}`,
    name: `App ${index}`,
    description: index === 77 ? 'Finds birds' : '',
  })) as App[]

function show(count: number) {
  const props = { label: 'Apps', apps: appsOf(count), children: ({ name }: App) => name }
  render(createElement(SearchableApps, props))
}

test('of 100 apps the first 8 are shown, all on request, and those that match a search', async () => {
  show(100)
  assert.equal(screen.getAllByRole('listitem').length, 8)
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search apps' }), {
    target: { value: 'BIRDS finds' },
  })
  const [found, ...others] = await screen.findAllByRole('listitem')
  assert.deepEqual([found?.textContent, others.length], ['App 77', 0])
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'fish' } })
  await screen.findByText('No app matches.')
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: '' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Show all 100 apps' }))
  assert.equal((await screen.findAllByRole('listitem')).length, 100)
  assert.equal(screen.queryByRole('button', { name: 'Show all 100 apps' }), null)
})

test('a list of at most 8 apps has neither search nor button', () => {
  cleanup()
  show(8)
  assert.equal(screen.getAllByRole('listitem').length, 8)
  assert.equal(screen.queryByRole('searchbox'), null)
  assert.equal(screen.queryByRole('button'), null)
})
