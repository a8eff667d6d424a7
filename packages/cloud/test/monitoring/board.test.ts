import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boardQueries, readBoard } from './monitoring-files.ts'
import { parsePromQl } from './promql.ts'

describe('the Grafana board', () => {
  const board = readBoard()
  const panels = board.panels.filter(({ type }) => type !== 'row')

  test('each panel has a description, a unit and queries', () => {
    for (const { title, description = '', fieldConfig, targets = [] } of panels) {
      assert.match(description, /^[A-Z].{20,}\.$/, title)
      assert.ok(fieldConfig?.defaults.unit, title)
      assert.ok(targets.length > 0, title)
      assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title)
    }
  })

  test('panels have different ids and titles, and do not overlap', () => {
    assert.equal(new Set(board.panels.map(({ id }) => id)).size, board.panels.length)
    assert.equal(new Set(board.panels.map(({ title }) => title)).size, board.panels.length)
    const cells = new Set<string>()
    for (const { title, gridPos } of board.panels) {
      assert.ok(gridPos.x + gridPos.w <= 24, title)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.ok(!cells.has(`${x} ${y}`), `${title} overlaps another panel`)
          cells.add(`${x} ${y}`)
        }
    }
  })

  test('all queries are valid, and refer to variables of the board', () => {
    const variables = new Set(board.templating.list.map(({ name }) => name))
    for (const { expr } of boardQueries(board)) {
      for (const [, name = ''] of expr.matchAll(/\$(\w+)/g)) assert.ok(variables.has(name), expr)
      parsePromQl(expr)
    }
  })
})
