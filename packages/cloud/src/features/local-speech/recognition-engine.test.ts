import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readableText, resultLanguage } from './recognition-engine.ts'

describe('results of recognizers', () => {
  test('LSP-2: text in capital letters only is turned into lower case', () => {
    assert.equal(readableText(' HELLO  WORLD '), 'hello world')
    assert.equal(readableText('Ich bin da'), 'Ich bin da')
    assert.equal(readableText('你好'), '你好')
    assert.equal(readableText(' '), '')
  })

  test('LSP-14: the language of a result', () => {
    assert.deepEqual(['<|en|>', 'de', '', '<|nospeech|>', undefined].map(resultLanguage), [
      'en',
      'de',
      undefined,
      undefined,
      undefined,
    ])
  })
})
