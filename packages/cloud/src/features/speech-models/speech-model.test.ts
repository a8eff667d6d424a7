import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueModels, recommendedModel } from './catalogue.ts'
import { type ModelManifest, readManifest } from './speech-model.ts'

const manifest: ModelManifest = {
  id: 'small-en',
  name: 'Small',
  kind: 'streaming-recognizer',
  architecture: 'transducer',
  languages: ['en'],
  detectsLanguage: false,
  memoryBytes: 1,
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  source: 'https://example.org/small',
  files: ['encoder', 'decoder', 'joiner', 'tokens'].map((role) => ({ name: `${role}.onnx`, role })),
}

const problemsOf = (change: object) => {
  const reading = readManifest({ ...manifest, ...change })
  return reading.ok ? [] : reading.problems
}

test('every model of the catalogue is complete', () => {
  const models = catalogueModels()
  assert.ok(models.length >= 20)
  assert.equal(new Set(models.map(({ id }) => id)).size, models.length)
  for (const { id, checked, files, license, source, memoryBytes } of models) {
    assert.ok(checked !== undefined && checked.length > 40, `${id} does not say what was checked`)
    assert.ok(memoryBytes > 0, id)
    for (const url of [license.url, source, ...files.map((file) => file.url)])
      assert.equal(new URL(String(url)).protocol, 'https:', `${id} ${url}`)
    // A hash at an address whose content may change is only right if the content is known from elsewhere.
    for (const { url, sha256, name } of files)
      assert.ok(
        sha256 === undefined || /\/resolve\/[0-9a-f]{40}\//.test(String(url)) || id.startsWith('punctuation'),
        `${id} ${name}`,
      )
  }
  const languages = new Set(models.flatMap((model) => model.languages))
  for (const language of ['en', 'de', 'fr', 'es', 'zh', 'ko', 'ja', 'ru']) assert.ok(languages.has(language))
  const kinds = new Set(models.map(({ kind }) => kind))
  assert.equal(kinds.size, 6)
})

test('MOD-2: the recommendation for a language', () => {
  assert.equal(recommendedModel('en-GB', [])?.id, 'streaming-zipformer-en')
  assert.equal(recommendedModel('de_AT', [])?.kind, 'streaming-recognizer')
  // Japanese has no model for words while they are spoken.
  assert.equal(recommendedModel('ja', [])?.kind, 'recognizer')
  assert.equal(recommendedModel('pt-BR', [])?.id, 'whisper-tiny')
  assert.equal(recommendedModel('tlh', []), undefined)
  assert.equal(recommendedModel('en', [manifest]), undefined)
  assert.equal(recommendedModel('en', [{ kind: 'voice', languages: ['en'] }])?.id, 'streaming-zipformer-en')
})

test('MOD-3: a manifest that cannot be installed is explained', () => {
  assert.deepEqual(problemsOf({}), [])
  assert.deepEqual(problemsOf({ files: manifest.files.slice(1) }), [
    'files must contain one with the role encoder, which transducer needs',
  ])
  assert.match(
    problemsOf({ architecture: 'magic' }).join(),
    /^architecture must be one of transducer, .*"magic"/,
  )
  assert.deepEqual(problemsOf({ files: [...manifest.files, manifest.files[0]] }), [
    'The file encoder.onnx is listed twice',
  ])
  for (const name of ['../x', '/etc/x', 'a/../b', '.x', 'a//b', 'a\\b', 'model.json'])
    assert.notDeepEqual(problemsOf({ files: [...manifest.files, { name, role: 'data' }] }), [], name)
  assert.notDeepEqual(
    problemsOf({
      files: [...manifest.files, { name: 'data', role: 'data' }, { name: 'data/a', role: 'data' }],
    }),
    [],
  )
  assert.deepEqual(problemsOf({ id: 'Bad Id' }).length, 1)
  assert.deepEqual(problemsOf({ surprise: 1 }), ['surprise is not a known field'])
  assert.notDeepEqual(problemsOf({ license: { name: 'MIT', url: 'javascript:alert(1)' } }), [])
  assert.deepEqual(readManifest(null).ok, false)
})
