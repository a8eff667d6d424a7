import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { grafanaBoard } from './grafana-board.ts'

test('the Grafana board is made of the list of its panels', async () => {
  const file = new URL('../ops/monitoring/grafana-dashboard.json', import.meta.url)
  const board: unknown = JSON.parse(await readFile(file, 'utf8'))
  assert.deepEqual(board, grafanaBoard(), 'run: node scripts/grafana-board.ts')
})
