import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from './config.ts'
import { readEnvFile } from './env-file.ts'

const valuesOf = (text: string) => readEnvFile(Buffer.from(text)).values
const warningsOf = (text: string) => readEnvFile(Buffer.from(text)).warnings

describe('the file .env', () => {
  test('CFG-4: encodings', () => {
    const text = 'MAIL_FROM=Zoë <a@b.de>\nPORT=1\n'
    const swapped = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      Buffer.from(text.replaceAll('\n', '\r\n')),
      Buffer.from(text.replaceAll('\n', '\r')),
      Buffer.from(text, 'utf16le'),
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
      swapped,
      swapped.subarray(2),
      Buffer.from(text, 'latin1'),
    ])
      assert.deepEqual(
        readEnvFile(bytes),
        { values: { MAIL_FROM: 'Zoë <a@b.de>', PORT: '1' }, warnings: [] },
        bytes.toString('hex'),
      )
  })

  test('CFG-4: forms of a line', () => {
    const lines = [
      '# A=comment',
      '  B = 1  # comment',
      '\texport C="a # b" # comment',
      "set D='x y'",
      'E=“a b” # comment',
      'F=‘a’',
      '\u00a0G\u00a0=\u00a0h\u200b',
      'I="several\nlines"',
      'J=',
      'K=[{"issuer":"https://x"}]',
      'L=`a"b`',
      'M="a"',
    ]
    assert.deepEqual(readEnvFile(Buffer.from(lines.join('\n'))), {
      values: {
        B: '1',
        C: 'a # b',
        D: 'x y',
        E: 'a b',
        F: 'a',
        G: 'h',
        I: 'several\nlines',
        J: '',
        K: '[{"issuer":"https://x"}]',
        L: 'a"b',
        M: 'a',
      },
      warnings: [],
    })
  })

  test('CFG-22: lines without the effect that they seem to have', () => {
    for (const [text, warning] of [
      ['PORT: 8080', '.env line 1 is not NAME=value, and has no effect'],
      ['A=1\n\nMY PORT=2', '.env line 3 is not NAME=value, and has no effect'],
      ['A=s3cret\nB=2\nA=3', '.env line 3 sets A again, so line 1 has no effect'],
      ['A=s3cret#s3cret', '.env line 1: the value of A ends at #; put it in quotes to keep what follows'],
      ['A="s3cret', '.env line 1: the value of A has no closing quotation mark'],
      ['A="s3cret"s', '.env line 1: the value of A ends at its closing quotation mark, but text follows'],
      [
        'A="s3cret\nPORT=1\nB="',
        '.env line 1: the value of A contains the next lines; close its quotation mark',
      ],
    ] as const)
      assert.deepEqual(warningsOf(text), [warning])
    assert.deepEqual(warningsOf('A=1\nA=1\nB= # comment\nC="x#y"'), [])
    assert.deepEqual(valuesOf('A=1\nA=2'), { A: '2' })
  })

  test('CFG-22: names that differ from a setting in a few letters', () => {
    const names = ['SIGNUP', 'public_url', 'STT_PROVIDER', 'REDIS_URI', 'Host', 'ALLOW_PRIVATE_NETWORK']
    const { warnings } = readConfig(Object.fromEntries(names.map((name) => [name, '1'])))
    assert.deepEqual(
      warnings.map((warning) => warning.split(' ').at(-3)),
      ['SIGN_UP', 'PUBLIC_URL', 'STT_PROVIDERS', 'REDIS_URL', 'HOST', 'ALLOW_PRIVATE_NETWORKS'],
    )
    const others = [
      'HOME',
      'PATH',
      'PWD',
      'SHELL',
      'HOSTNAME',
      'NODE_ENV',
      'LOGNAME',
      'OTEL_BLRP_SCHEDULE_DELAY',
    ]
    assert.deepEqual(readConfig(Object.fromEntries(others.map((name) => [name, '1']))).warnings, [])
  })

  test('CFG-4: Docker leaves the quotation marks of an --env-file', () => {
    const { http, phones } = readConfig({ PORT: '"8090"', CORS_ORIGINS: "'https://a.b, https://c.d'" })
    assert.equal(http.port, 8090)
    assert.deepEqual(http.corsOrigins, ['https://a.b', 'https://c.d'])
    assert.equal(phones.requiredVersion, '0.0.0')
  })
})
