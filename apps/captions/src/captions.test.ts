import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Captions } from './captions.ts'

describe('Captions', () => {
  test('an interim text replaces the previous one, and a final one stays', () => {
    const captions = new Captions({ width: 20, lines: 3 })
    captions.add('good', false)
    captions.add('good moaning', false)
    assert.equal(captions.text, 'good moaning')
    captions.add('Good morning.', true)
    captions.add('how', false)
    assert.equal(captions.text, 'Good morning. how')
    captions.add('How are you?', true)
    assert.equal(captions.text, 'Good morning. How\nare you?')
  })

  test('characters are counted as they are read, in any form', () => {
    const captions = new Captions({ width: 10, lines: 3 })
    captions.add('안녕하세요 여러분'.normalize('NFD'), true)
    assert.equal(captions.text, '안녕하세요\n여러분')
    captions.add('one\u00ad\u200b \ufefftwo\u200d 三四', true)
    assert.equal(captions.text, '안녕하세요\n여러분 one\ntwo 三四')
  })

  test('shows the last lines and breaks long words', () => {
    const captions = new Captions({ width: 10, lines: 2 })
    captions.add('one two three four five', true)
    assert.equal(captions.text, 'three four\nfive')
    captions.add('Donaudampfschiff', true)
    assert.equal(captions.text, 'Donaudampf\nschiff')
    captions.add('👩🏽👩🏽👩🏽👩🏽👩🏽👩🏽', true)
    assert.equal(captions.text, '👩🏽👩🏽👩🏽👩🏽👩🏽\n👩🏽')
    for (let at = 0; at < 500; at++) captions.add('again and again', true)
    assert.equal(captions.text, 'again and\nagain')
  })
})
