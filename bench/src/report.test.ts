import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { benchmarks } from './benchmarks/index.ts'
import { formatFigure } from './figure.ts'
import { formatReport, REPORTED, replaceReport } from './report.ts'

const report = formatReport('Two cores.', [
  {
    benchmark: 'relay',
    figures: [
      { name: 'audio', value: 1.254, unit: '× bare ws', detail: '10 against 8 µs', aim: { atMost: 1.2 } },
    ],
  },
  { benchmark: 'nodes', figures: [], problem: 'connect ECONNREFUSED\n127.0.0.1:6379' },
])

test('a report lists the machine, the figures with their aims, and what was not measured', () => {
  assert.deepEqual(report.split('\n'), [
    'Two cores.',
    '',
    '| Benchmark | Figure | Measured | Cloud against baseline | Aim |',
    '|---|---|---|---|---|',
    '| `relay` | audio | 1.25 × bare ws | 10 against 8 µs | at most 1.2: **missed** |',
    '',
    'Not measured:',
    '',
    '- `nodes`: connect ECONNREFUSED 127.0.0.1:6379',
  ])
})

test('a report replaces the previous one in the page, and nothing else', () => {
  const page = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const written = replaceReport(page, report)
  assert.ok(written.includes(report))
  assert.equal(replaceReport(written, report), written)
  const [before = ''] = page.split('<!-- figures')
  const [, after = ''] = page.split('<!-- end of figures -->')
  assert.ok(written.startsWith(before) && written.endsWith(after))
  assert.throws(() => replaceReport('# Benchmarks', report), /must contain/)
})

test('every benchmark of the report exists', () => {
  assert.deepEqual(
    REPORTED.filter((name) => benchmarks[name] === undefined),
    [],
  )
})

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
