import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Link } from '@glasses-cloud/phone/browser'
import { findLinkChanges } from './link-changes.ts'

type PartState = Link['parts'][number]['state']

const link = (left: PartState, right: PartState): Link => ({
  state: 'connecting',
  parts: [
    { name: 'left', state: left },
    { name: 'right', state: right },
  ],
})

test('CON-232: the loss and the return of an arm are changes, its attempts to connect are not', () => {
  const none: Link = { state: 'lost', parts: [] }
  assert.deepEqual(findLinkChanges(none, link('connecting', 'connecting')), [])
  assert.deepEqual(findLinkChanges(link('connecting', 'connecting'), link('connected', 'connecting')), [
    { part: 'left', state: 'connected' },
  ])
  assert.deepEqual(findLinkChanges(link('connected', 'connected'), link('lost', 'connected')), [
    { part: 'left', state: 'lost' },
  ])
  assert.deepEqual(findLinkChanges(link('lost', 'connected'), link('connecting', 'connected')), [])
  assert.deepEqual(findLinkChanges(link('connected', 'lost'), link('connected', 'connecting')), [])
})

test('CON-291: the loss and the return of glasses of one part are changes', () => {
  const whole = (state: Link['state']): Link => ({ state, parts: [] })
  assert.deepEqual(findLinkChanges(whole('lost'), whole('connecting')), [])
  assert.deepEqual(findLinkChanges(whole('connecting'), whole('connected')), [
    { part: 'glasses', state: 'connected' },
  ])
  assert.deepEqual(findLinkChanges(whole('connected'), whole('lost')), [{ part: 'glasses', state: 'lost' }])
})
