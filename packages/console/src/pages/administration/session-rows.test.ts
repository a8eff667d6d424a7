import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeSessions } from './session-rows.ts'

const sessions = (...userIds: string[]) =>
  userIds.map((userId) => ({ userId, email: `${userId}@example.org`, startedAt: '', apps: [] }))
const idsOf = (rows: readonly { readonly userId: string }[]) => rows.map(({ userId }) => userId).join('')

test('CON-83: loaded sessions follow the live ones without duplicates and ended sessions', () => {
  const loaded = sessions('a', 'b', 'c', 'd', 'e')
  const cases: [string[], string][] = [
    [['a', 'b', 'c'], 'abcde'],
    [['a', 'c', 'd'], 'acde'],
    [['a', 'a2', 'b'], 'aa2bcde'],
    [[], ''],
  ]
  for (const [live, expected] of cases)
    assert.equal(idsOf(mergeSessions(sessions(...live), loaded)), expected)
})
