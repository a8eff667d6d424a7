import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { formatFigure } from './figure.ts'

test('a figure is printed with its value, its detail, and whether the aim is reached', () => {
  const figure = { name: 'audio', value: 1.254, unit: '× bare ws', detail: '10 against 8 µs' }
  assert.equal(formatFigure(figure), '  audio: 1.25 × bare ws (10 against 8 µs)')
  const withAim = (aim: { atMost: number } | { atLeast: number }) => formatFigure({ ...figure, aim })
  assert.match(withAim({ atMost: 1.3 }), /; aim: at most 1\.3, reached$/)
  assert.match(withAim({ atMost: 1.2 }), /; aim: at most 1\.2, MISSED$/)
  assert.match(withAim({ atLeast: 1.2 }), /; aim: at least 1\.2, reached$/)
  assert.match(withAim({ atLeast: 1.3 }), /; aim: at least 1\.3, MISSED$/)
})

for (const args of [['juggling'], ['relay', '--report'], ['relay', '--connections', '0'], ['--sideways']]) {
  test(`the arguments ${args.join(' ')} print the usage and exit with 1`, async () => {
    const main = fileURLToPath(new URL('main.ts', import.meta.url))
    const program = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    program.stderr.on('data', (data) => {
      errors += data
    })
    const [code] = await once(program, 'close')
    assert.equal(code, 1)
    assert.match(errors, /Usage: npm run bench -- \[start\|/)
  })
}
