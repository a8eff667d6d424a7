import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseManifest, RESERVED_PACKAGE_NAMES } from './manifest.ts'

const complete = {
  packageName: 'dev.example.captions-2',
  name: 'Captions',
  description: 'Words on the lens',
  publicUrl: 'http://127.0.0.1:7010',
  appType: 'BACKGROUND',
  logoURL: 'https://example.org/logo.png',
  webviewURL: 'https://example.org/app',
  permissions: [{ type: 'MICROPHONE', description: 'To hear' }],
  hardwareRequirements: [{ type: 'DISPLAY', level: 'REQUIRED', description: 'To show' }],
  settings: [{ type: 'toggle', key: 'big', label: 'Big letters', defaultValue: false }],
  tools: [{ id: 'note', description: 'Takes a note' }],
  wakeWords: [{ phrase: 'hey notes' }, { phrase: 'Hallo Notizen', language: 'de-DE' }],
  featured: true,
  minHardwareVersion: '1.0.0',
  appStoreStatus: 'PUBLISHED',
  developerId: 'dev@example.org',
  organization: 'acme-labs',
}

function problemsOf(value: unknown): readonly string[] {
  const reading = parseManifest(value)
  return reading.ok ? [] : reading.problems
}

describe('manifests', () => {
  test('CLI-23: every field is parsed', () => {
    assert.deepEqual(parseManifest(complete), { ok: true, manifest: complete })
    const { packageName, name, publicUrl } = complete
    assert.deepEqual(problemsOf({ packageName, name, publicUrl }), [])
  })

  const invalid: [over: object, problem: RegExp][] = [
    [{ packageName: undefined }, /^packageName is required$/],
    [{ packageName: 'a b' }, /^packageName must be a name like dev\.example\.captions/],
    [{ packageName: '../etc' }, /^packageName must be a name/],
    [{ name: '' }, /^name must not be empty$/],
    [{ publicUrl: 'example.org' }, /^publicUrl must be the URL of the app server/],
    [{ publicUrl: 'file:///etc' }, /^publicUrl must be the URL/],
    [{ appType: 'GAME' }, /^appType must be one of STANDARD, BACKGROUND, SYSTEM_DASHBOARD$/],
    [{ webviewURL: 'javascript:alert(1)' }, /^webviewURL must be a URL that starts with http/],
    [{ permissions: 'MICROPHONE' }, /^permissions must be a list$/],
    [{ permissions: [{ type: 'EARS' }] }, /^permissions\[0\]\.type must be one of MICROPHONE, /],
    [{ hardwareRequirements: [{ type: 'DISPLAY' }] }, /^hardwareRequirements\[0\]\.level is required$/],
    [{ settings: ['x'] }, /^settings\[0\] must be an object$/],
    [{ featured: 'yes' }, /^featured must be a boolean$/],
    [{ developerId: 'me' }, /^developerId must be an e-mail address$/],
    [{ organization: 'Acme Labs' }, /^organization must be a slug/],
    [{ permission: [] }, /^permission is not a known field$/],
  ]
  for (const [over, problem] of invalid) {
    test(`CLI-23: ${JSON.stringify(over)} is reported in a sentence`, () => {
      const problems = problemsOf(JSON.parse(JSON.stringify({ ...complete, ...over })))
      assert.equal(problems.length, 1, problems.join('; '))
      assert.match(problems[0] ?? '', problem)
    })
  }

  const tooMany = Array.from({ length: 11 }, (_, index) => ({ phrase: 'ab'.repeat(index + 1) }))
  const invalidWakeWords: [wakeWords: unknown, problem: RegExp][] = [
    ['hey', /^wakeWords must be a list$/],
    [['hey'], /^wakeWords\[0\] must be an object$/],
    [tooMany, /^wakeWords must have at most 10 entries$/],
    [[{ phrase: 'a' }], /^wakeWords\[0\]\.phrase must have at least 2 characters$/],
    [[{ phrase: 'a'.repeat(61) }], /^wakeWords\[0\]\.phrase must have at most 60 characters$/],
    ...['hey 2', 'hey!', ' hey', 'hey  you', 'a/b', 'hey\n@x'].map((phrase): [unknown, RegExp] => [
      [{ phrase: 'ok' }, { phrase }],
      /^wakeWords\[1\]\.phrase must have letters only, with single spaces between words$/,
    ]),
    [
      [{ phrase: 'hey', language: 'english' }],
      /^wakeWords\[0\]\.language must be a language tag with a region, such as en-US$/,
    ],
    [
      [{ phrase: 'hey you' }, { phrase: 'Hey You', language: 'en-US' }],
      /^wakeWords\[1\]\.phrase repeats wakeWords\[0\]\.phrase$/,
    ],
    [[{ phrase: 'hey', threshold: 1 }], /^wakeWords\[0\]\.threshold is not a known field$/],
  ]
  for (const [wakeWords, problem] of invalidWakeWords) {
    test(`WAKE-1: the wake words ${JSON.stringify(wakeWords).slice(0, 50)} are reported in a sentence`, () => {
      const problems = problemsOf({ ...complete, wakeWords })
      assert.equal(problems.length, 1, problems.join('; '))
      assert.match(problems[0] ?? '', problem)
    })
  }

  test('WAKE-1: letters of any script are valid, and one phrase in two languages', () => {
    const wakeWords = [
      { phrase: 'Größe' },
      { phrase: 'привет мир', language: 'ru-RU' },
      { phrase: '你好', language: 'zh-CN' },
      { phrase: 'नमस्ते', language: 'hi-IN' },
      { phrase: 'hallo', language: 'de-DE' },
      { phrase: 'hallo', language: 'nl-NL' },
    ]
    assert.deepEqual(problemsOf({ ...complete, wakeWords }), [])
  })

  test('CLI-23: permissions of one type are merged', () => {
    const permissions = [
      { type: 'camera', description: 'To see' },
      { type: 'NOTIFICATIONS' },
      { type: 'CAMERA', description: ' ' },
      { type: 'READ_NOTIFICATIONS' },
      { type: 'CAMERA', description: 'To read' },
      { type: 'NOTIFICATIONS', description: '' },
    ]
    const reading = parseManifest({ ...complete, permissions })
    assert.deepEqual(reading.ok && reading.manifest.permissions, [
      { type: 'CAMERA', description: 'To read' },
      { type: 'NOTIFICATIONS' },
      { type: 'READ_NOTIFICATIONS' },
    ])
  })

  test('CLI-23: a value that is not an object is reported; several invalid fields are reported together', () => {
    for (const value of [null, [], 'text', 3]) {
      assert.deepEqual(problemsOf(value), ['The manifest must be an object'])
    }
    assert.equal(problemsOf({ ...complete, name: 1, featured: 1, settings: 1 }).length, 3)
  })

  test('CLI-26 CLI-27: invalid declarations are reported together, with their paths', () => {
    const bad = {
      settings: [{ type: 'toggle' }],
      tools: [{ id: 'x' }],
    }
    const problems = problemsOf({ ...complete, ...bad })
    for (const place of [/^settings\[0\]\.key /, /^tools\[0\]\.description /])
      assert.ok(
        problems.some((problem) => place.test(problem)),
        String(place),
      )
  })

  test('CLI-28: a reserved word is an invalid package name, in any case', () => {
    for (const word of [...RESERVED_PACKAGE_NAMES, 'Search'])
      assert.deepEqual(problemsOf({ ...complete, packageName: word }), [
        `packageName must not be ${word}, which is a reserved word`,
      ])
    assert.deepEqual(problemsOf({ ...complete, packageName: 'search.example' }), [])
  })

  test('CLI-24: enum values are case-insensitive', () => {
    const reading = parseManifest({
      ...complete,
      appType: 'background',
      appStoreStatus: 'Published',
      permissions: [{ type: 'microphone', description: 'To hear' }],
      hardwareRequirements: [{ type: 'display', level: 'required', description: 'To show' }],
    })
    assert.deepEqual(reading, { ok: true, manifest: complete })
  })
})
