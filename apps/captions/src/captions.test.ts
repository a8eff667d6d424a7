import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Captions } from './captions.ts'

describe('Captions', () => {
  test('SIM-70: an interim text replaces the one before it, a final one stays', () => {
    const captions = new Captions({ width: 20, lines: 3 })
    captions.hear('good', false)
    captions.hear('good moaning', false)
    assert.equal(captions.text, 'good moaning')
    captions.hear('Good morning.', true)
    captions.hear('how', false)
    assert.equal(captions.text, 'Good morning. how')
    captions.hear('How are you?', true)
    assert.equal(captions.text, 'Good morning. How\nare you?')
  })

  test('SIM-70: only the last lines show, long words broken', () => {
    const captions = new Captions({ width: 10, lines: 2 })
    captions.hear('one two three four five', true)
    assert.equal(captions.text, 'three four\nfive')
    captions.hear('Donaudampfschiff', true)
    assert.equal(captions.text, 'Donaudampf\nschiff')
    for (let at = 0; at < 500; at++) captions.hear('again and again', true)
    assert.equal(captions.text, 'again and\nagain')
  })
})
