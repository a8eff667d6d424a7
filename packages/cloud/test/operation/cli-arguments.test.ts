import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Env } from '../../src/config/index.ts'
import { cli, spawnCli } from '../support/cli.ts'

/** Settings without a usable data folder: a command that succeeds with them does not access any data. */
const unusableEnv: Env = { DATA_DIR: '/dev/null/data' }
const names = [
  'token',
  'app register',
  'app list',
  'user list',
  'org add',
  'report list',
  'backup',
  'verify',
  'restore',
  'doctor',
  'simulate',
]

describe('arguments', () => {
  test('CLI-1: --help lists and explains the commands', async () => {
    const { code, out, err } = await cli(unusableEnv, '--help')
    assert.deepEqual([code, err], [0, ''])
    for (const name of names) {
      assert.match(out, new RegExp(`^ {2}${name}( |$)`, 'm'))
      const help = await cli(unusableEnv, ...name.split(' '), '--help')
      assert.deepEqual([help.code, help.err], [0, ''], name)
      assert.ok(help.out.startsWith(`Usage: npm run -s cli -- ${name}`), help.out)
    }
  })

  test('CLI-1: docs/commands.md lists the same commands', async () => {
    const page = await readFile(new URL('../../../../docs/commands.md', import.meta.url), 'utf8')
    const [, commandLine = ''] = page.split('\n## Command line\n')
    const nameOf = (usage: string) => /^[a-z][a-z-]*(?: [a-z][a-z-]*)*/.exec(usage)?.[0] ?? ''
    const listed = [...commandLine.matchAll(/^\| `([^`]+)`/gm)].map(([, usage = '']) => nameOf(usage))
    const { out } = await cli(unusableEnv, '--help')
    const commands = [...out.matchAll(/^ {2}(\S.*)$/gm)].map(([, usage = '']) => nameOf(usage))
    assert.ok(commands.length > 20)
    assert.deepEqual([...new Set(listed)].sort(), [...new Set(commands)].sort())
  })

  const usageErrors: [args: string[], sentence: RegExp][] = [
    [[], /^Usage: /],
    [['fly'], /^Unknown command "fly"\./],
    [['app'], /^Unknown command "app"\./],
    [['token'], /^EMAIL is missing\. Usage: /],
    [['token', 'a@b.de', 'c@d.de'], /^Unexpected argument "c@d\.de"\./],
    [['token', 'a@b.de', '--forever'], /^Unknown option '--forever'/],
    [['token', 'a@b.de', '--scope', 'all'], /^--scope must be core or glasses\./],
    [['token', 'a@b.de', '--expires', 'soon'], /^--expires must be a duration such as 30s/],
    [['token', 'a@b.de', '--expires', '0s'], /^--expires must be a duration/],
    [['app', 'register'], /^MANIFEST\.json is missing\./],
    [['app', 'list', 'all'], /^Unexpected argument "all"\./],
    [['org', 'add', 'Acme Labs'], /^Invalid slug "Acme Labs"/],
    [['org', 'add', 'acme', '--member', 'a@b.de:owner'], /^--member must be EMAIL or EMAIL:admin/],
    [['report', 'list', '--limit', '0'], /^--limit must be an integer from 1 to 1000\./],
    [['simulate'], /^--email is missing\./],
    [['simulate', '--email', 'a@b.de', '--url', 'localhost:8080'], /^--url must be a URL such as http:/],
    [
      ['simulate', '--email', 'a@b.de', '--publish', '/nowhere.mp4'],
      /^--publish must be testsrc or a media file \(got "\/nowhere\.mp4"\)\./,
    ],
    [['simulate', '--email', 'a@b.de', '--dialect', 'latin'], /^--dialect must be flat or envelope\./],
  ]
  for (const [args, sentence] of usageErrors) {
    test(`CLI-2: "${args.join(' ')}" is a usage error`, async () => {
      const { code, out, err } = await cli(unusableEnv, ...args)
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, sentence)
    })
  }

  test('CLI-3: a failed command prints one sentence and exits with 1', async (t) => {
    const { code, out, err } = await spawnCli(t, unusableEnv, 'token', 'a@b.de')
    assert.deepEqual([code, out], [1, ''])
    assert.match(
      err,
      /^\/dev\/null\/data\/auth-secret cannot be used \(ENOTDIR\); make DATA_DIR writable, or set AUTH_SECRET\.\n$/,
    )
    const settings = await cli({ PORT: 'x' }, 'token', 'a@b.de')
    assert.deepEqual(
      [settings.code, settings.err],
      [1, 'PORT must be an integer from 0 to 65535 (got "x").\n'],
    )
    const file = await cli(unusableEnv, 'app', 'register', '/nowhere.json')
    assert.deepEqual([file.code, file.err], [1, '/nowhere.json cannot be read (ENOENT)\n'])
  })
})
